/**
 * Removes a session (O11): `removing` goes into its log, then references to it are looked for. A fork writes its
 * reference first and looks for `removing` afterwards. What hides the session comes last, and a tombstone stays.
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { Seen, UpkeepAnswer } from '../../ports/upkeep.ts';
import type { Creations } from './creations.ts';
import { purgePieces } from './large-bodies.ts';
import type { SessionListing } from './session-directory.ts';
import { headOf, noHead } from './session-log.ts';
import type { NatsParts } from './store-parts.ts';

interface StreamRemovalParts extends NatsParts {
  readonly creations: Creations;
}

/** Must run in the session's turn, under its claim. */
export async function removeFromStreams(
  parts: StreamRemovalParts,
  session: SessionId,
  { epoch }: Seen,
  family: readonly SessionId[],
): Promise<UpkeepAnswer> {
  const { writer, letters } = parts;
  if ((await letters.of(session)).length > 0) return 'changed';
  if (
    !(await writer.change(session, epoch, (head) => ({ kind: 'removing', head: { ...head, removing: true } })))
  ) {
    return 'changed';
  }
  if (await isReferredTo(parts, session, family)) {
    await writer.change(session, epoch, ({ removing: _removing, ...head }) => ({ kind: 'removing', head }));
    return 'changed';
  }
  const creation = writer.tails.get(session)?.listed.listed.creation;
  if (!(await writer.change(session, epoch, () => ({ kind: 'removed', head: { ...noHead, removed: true } })))) {
    return 'changed';
  }
  writer.letGo(session);
  await forgetContent(parts, session);
  if (creation !== undefined) await parts.creations.forget(creation, session);
  return 'done';
}

/** A process died after it wrote the tombstone. False: it is no tombstone. */
export async function completeRemoval(parts: NatsParts, session: SessionId): Promise<boolean> {
  const newest = await parts.writer.newest(session);
  if (newest?.head.removed !== true) return false;
  await parts.writer.catchUp(session, newest);
  await forgetContent(parts, session);
  return true;
}

async function isReferredTo(
  parts: StreamRemovalParts,
  session: SessionId,
  family: readonly SessionId[],
): Promise<boolean> {
  const all = await parts.directory.all();
  for (const one of all.values()) {
    if (one.refersTo?.includes(session) !== true || family.includes(one.session)) continue;
    if (one.isPending !== true || (await mayBeCreated(parts, one))) return true;
  }
  return false;
}

/** It is there, or its creator is alive. */
async function mayBeCreated(
  { writer, processes, watch }: StreamRemovalParts,
  { session, head }: SessionListing,
): Promise<boolean> {
  if (headOf(await writer.newest(session)) !== undefined) return true;
  const creator = head.owner === null ? undefined : await processes.find(head.owner);
  return creator !== undefined && !watch.isGone(creator);
}

async function forgetContent({ client, layout }: NatsParts, session: SessionId): Promise<void> {
  const doing = `Removing session ${session}`;
  const { stream, subject } = layout.logOf(session);
  await client.purge(doing, stream, subject, { keep: 1 });
  await client.purge(doing, layout.kept, layout.subject('kept', 'key', session, '*'));
  await client.purge(doing, layout.kept, layout.subject('kept', 'snapshot', session));
  await client.purge(doing, layout.kept, layout.subject('kept', 'ref', '*', session));
  await client.purge(doing, layout.live, layout.subject('live', 'hosted', session));
  for (const group of [session, `${session}~snapshot`]) await purgePieces(client, layout, doing, group);
}
