/** Reads a whole bundle and reports its content, how far it is sound, and the first problem. */
import type { BundleEnd, BundleHead, BundleSession } from '../journal/bundle/bundle-line.ts';
import { readBundle, type BundleItem } from '../journal/bundle/read-bundle.ts';
import type { SessionId } from '../kernel/ids.ts';
import { brokenInvariants } from '../kernel/decide/invariants.ts';
import { createSessionFold, type SessionFold } from '../session/read/fold-session.ts';

export interface BundleSource {
  /** Opens the bundle from its beginning, once per pass. */
  readonly open: () => AsyncIterable<string>;
  /** For messages. */
  readonly name: string;
}

export interface Inspected {
  readonly head: BundleHead | undefined;
  readonly end: BundleEnd | undefined;
  /** Sessions with the number of sound events; sessions with none are left out. */
  readonly sessions: readonly (BundleSession & { readonly sound: number })[];
  readonly damage: string | undefined;
}

/** Reads everything and writes nothing. */
export async function inspectBundle({ open, name }: BundleSource): Promise<Inspected> {
  let head: BundleHead | undefined;
  let end: BundleEnd | undefined;
  let damage: string | undefined;
  const roles = new Map<SessionId, BundleSession>();
  const reached = new Map<SessionId, number>();
  let fold: SessionFold | undefined;
  for await (const item of readBundle(open(), `Can't import ${name}`)) {
    if (item.type === 'bundle') head = item;
    else if (item.type === 'session') {
      roles.set(item.session, item);
      fold = createSessionFold(item.session);
    } else if (item.type === 'record') {
      damage = problemOfFolding(fold, item);
      if (damage !== undefined) break;
      reached.set(item.session, item.last);
    } else if (item.type === 'end') end = item;
    else if (item.type === 'problem') damage = item.what;
  }
  const sessions = [...reached].flatMap(([session, sound]) => {
    const line = roles.get(session);
    return line === undefined ? [] : [{ ...line, sound }];
  });
  return { head, end, sessions, damage };
}

/**
 * Hashes aren't a signature: an attacker can reseal a changed bundle. This finds events that don't fold, before
 * anything is written.
 */
function problemOfFolding(
  fold: SessionFold | undefined,
  { session, first, events }: Extract<BundleItem, { type: 'record' }>,
): string | undefined {
  const wrong = (why: string) => `the record at ${first} of session ${session} cannot be followed: ${why}`;
  if (fold === undefined) return undefined;
  try {
    fold.add(events);
    JSON.stringify(fold.shown());
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  const broken = brokenInvariants(fold.state);
  return broken.length === 0
    ? undefined
    : wrong(`behind it the session breaks ${broken.join(', ')} of docs/SPEC.md`);
}
