/** The parts of a call that the gate judges one by one: command segments, paths, addresses, or the whole call. */
import type { CallFacts, SegmentFact } from '../call.ts';
import { optional } from '../optional.ts';

export interface CallUnit extends Partial<Omit<SegmentFact, 'free' | 'opaque'>> {
  readonly kind: 'text' | 'parts';
  readonly standing: 'free' | 'contained' | 'guarded' | 'forbidden';
  readonly why?: string;
  readonly protects?: string;
}

/** Reading is free, and the sandbox contains the rest. Deleting and sending still ask. */
function standingOf(
  { isFree, effect }: Pick<SegmentFact, 'effect'> & { readonly isFree: boolean },
  isConfined: boolean,
): CallUnit['standing'] {
  if (isFree) return 'free';
  return isConfined && effect !== 'send' && effect !== 'delete' ? 'contained' : 'guarded';
}

export function unitsOf(facts: CallFacts): readonly CallUnit[] {
  const units: CallUnit[] = [];
  for (const { opaque, free, ...segment } of facts.segments ?? []) {
    units.push({
      ...segment,
      kind: 'text',
      standing: standingOf({ ...segment, isFree: free === true && opaque !== true }, facts.confined === true),
      ...(opaque === true && { why: 'What this would run is known only when it runs.' }),
    });
  }
  for (const path of facts.paths ?? []) {
    // Protected names are read-only in the sandbox, so a change fails there even if approved.
    const isWalled = path.access === 'write' && path.protects !== undefined;
    if (facts.confined === true && (path.sensitive !== true || isWalled)) {
      units.push({ text: path.path, kind: 'parts', standing: 'contained' });
    } else if (!path.inside) {
      units.push({
        text: path.path,
        kind: 'parts',
        standing: 'forbidden',
        effect: 'outside',
        why: `${path.path} is outside the session's folders.`,
      });
    } else {
      const { access, protects } = path;
      units.push({
        text: path.path,
        kind: 'parts',
        standing: access === 'read' && path.sensitive !== true ? 'free' : 'guarded',
        effect: access === 'read' ? 'look' : 'edit',
        ...(access === 'write' && protects !== undefined && { protects }),
        ...optional({ set: path.set }),
      });
    }
  }
  for (const url of facts.urls ?? []) units.push({ text: url, kind: 'text', standing: 'guarded' });
  if (units.length === 0) {
    units.push({
      kind: 'text',
      standing:
        facts.access === 'read' || facts.access === 'talk'
          ? 'free'
          : facts.confined === true
            ? 'contained'
            : 'guarded',
    });
  }
  return units;
}
