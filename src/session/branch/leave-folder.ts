/**
 * Continues a session whose folder is on a machine that is gone, in a folder of this machine and without its files.
 * It only records that: the next owner settles what was in flight, in the new folder.
 */
import { leastReaderOf } from '../../journal/reader-version.ts';
import type { Actor } from '../../kernel/actor.ts';
import { machineLabel } from '../../kernel/agent.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import { step } from '../../kernel/decide/step.ts';
import { timeAt } from '../../kernel/time.ts';
import type { Claim } from '../../ports/lease.ts';
import type { Store } from '../../ports/store.ts';
import { loadSession } from '../read/load-session.ts';
import { project, projectedOf } from '../read/projector.ts';
import { noSession } from '../read/resolve-session-id.ts';

export interface LeaveFolderParts {
  readonly store: Pick<Store, 'journal' | 'leases' | 'nodes'>;
  readonly now: () => number;
  /** Waits before checking again whether the last owner is gone. Rejects once it took too long. */
  readonly wait: () => Promise<void>;
}

export interface NewFolder {
  readonly cwd: string;
  /** This machine. */
  readonly machine: string;
  readonly by: Actor;
}

export async function leaveFolder(
  { store, now, wait }: LeaveFolderParts,
  session: SessionId,
  to: NewFolder,
): Promise<void> {
  const before = (await loadSession(store.journal, session))?.state;
  if (before === undefined) throw noSession(session);
  if (before.machine === undefined || before.machine === to.machine)
    throw refused(session, "its folder isn't on another machine. Send it a prompt");
  const label = machineLabel(before.machine);
  const node = (await store.nodes.list()).find((one) => one.isAlive && one.labels.includes(label));
  if (node !== undefined)
    throw refused(
      session,
      `node ${node.name} runs on ${before.machine}, which has its folder. Send it a prompt, or fork it`,
    );
  const claim = await claimed(store, session, wait);
  let { isUnclean } = claim;
  try {
    const isInFlight = await record(store, claim, to, now());
    isUnclean ||= isInFlight;
  } finally {
    // The next owner settles what is in flight.
    await claim.release({ isUnclean });
  }
}

async function claimed({ leases }: LeaveFolderParts['store'], session: SessionId, wait: () => Promise<void>) {
  for (;;) {
    // Without labels: nothing runs here.
    const answer = await leases.claim(session);
    if (answer.type === 'claimed') return answer.claim;
    try {
      await wait();
    } catch {
      const { host = 'another machine', pid } = answer.owner ?? {};
      throw refused(
        session,
        `process ${pid} on ${host} still runs it. Retry when it is gone, or fork the session`,
      );
    }
  }
}

/** True if something is in flight now. */
async function record(
  { journal }: LeaveFolderParts['store'],
  claim: Claim,
  { cwd, machine, by }: NewFolder,
  at: number,
): Promise<boolean> {
  const { session } = claim;
  const loaded = await loadSession(journal, session);
  if (loaded === undefined) throw noSession(session);
  const { state, damage } = loaded;
  if (damage !== undefined) throw refused(session, `event ${damage.seq} is damaged: ${damage.reason}`);
  const missing = [`all files of ${state.cwd} on ${state.machine}`];
  const input: Input = { type: 'place-moved', cwd, machine, missing, at: timeAt(at), by };
  if (state.phase.type === 'closed') throw refused(session, 'it has ended. Fork it');
  const next = step(state, input);
  if (next.refusal !== undefined) throw refused(session, next.refusal.message);
  const answer = await journal.append({
    session,
    position: claim.position,
    expected: state.seq,
    records: [{ at: input.at, by, events: next.events.map(({ event }) => JSON.stringify(event)) }],
    projection: project(projectedOf(state), next.state, next.events),
    leastReader: leastReaderOf(next.events),
  });
  if (answer.type !== 'appended') throw refused(session, `the store answered ${answer.type}. Retry`);
  return hasEffectsInFlight(next.state);
}

function refused(session: SessionId, why: string): Fault {
  return new Fault('conflict', `Can't continue session ${session} here: ${why}.`);
}
