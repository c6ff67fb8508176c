/** The parts of a call that the gate judges one by one: command segments, paths, addresses, or the whole call. */
import type { CallFacts, SegmentFact } from '../call.ts';
import type { Effect } from '../effect.ts';
import { optional } from '../optional.ts';

export interface CallUnit extends Partial<Omit<SegmentFact, 'free' | 'opaque'>> {
  readonly kind: 'text' | 'parts';
  readonly standing: 'free' | 'contained' | 'guarded' | 'forbidden';
  readonly why?: string;
  readonly protects?: string;
  /** As people read it, if its text alone doesn't say what happens to it: `write when.txt`. */
  readonly name?: string;
}

/** What people see and decide about as one part of a call. */
export interface CallPart extends Pick<SegmentFact, 'text' | 'effect' | 'opaque'> {}

/**
 * The parts of a call, as its card lists and counts them: each command, and each file that a redirection writes. A
 * host that a lone command reaches isn't a part of its own, and neither is the folder that a command runs in.
 */
export function partsOfCall({ segments = [], paths = [], urls = [] }: PartsFacts): readonly CallPart[] {
  const isCommand = segments.length > 0;
  const files = paths
    .filter(({ access, inside, sensitive }) => !isCommand || access === 'write' || !inside || sensitive === true)
    .map((path): CallPart => ({ text: isCommand ? pathName(path) : path.path, effect: pathEffect(path) }));
  const hosts = urls.map((url): CallPart => ({ text: isCommand ? hostName(url) : url, effect: 'network' }));
  const reached = segments.length === 1 && files.length === 0 ? [] : [...files, ...hosts];
  const own = new Set<string>();
  return [...segments, ...reached.filter(({ text }) => !own.has(text) && own.add(text))];
}

type PartsFacts = Pick<CallFacts, 'segments' | 'paths' | 'urls'>;
type PathFact = NonNullable<CallFacts['paths']>[number];

function pathName({ path, access }: PathFact): string {
  return `${access} ${path}`;
}

function hostName(url: string): string {
  return `reach ${url}`;
}

function pathEffect({ access, inside }: PathFact): Effect {
  return inside ? (access === 'read' ? 'look' : 'edit') : 'outside';
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
  const isCommand = (facts.segments ?? []).length > 0;
  for (const { opaque, free, ...segment } of facts.segments ?? []) {
    units.push({
      ...segment,
      kind: 'text',
      standing: standingOf({ ...segment, isFree: free === true && opaque !== true }, facts.confined === true),
      ...(opaque === true && { why: 'What this would run is known only when it runs.' }),
    });
  }
  for (const path of facts.paths ?? []) {
    const named = isCommand ? { name: pathName(path) } : {};
    // Protected names are read-only in the sandbox, so a change fails there even if approved.
    const isWalled = path.access === 'write' && path.protects !== undefined;
    if (facts.confined === true && (path.sensitive !== true || isWalled)) {
      units.push({ text: path.path, ...named, kind: 'parts', standing: 'contained' });
    } else if (!path.inside) {
      units.push({
        text: path.path,
        ...named,
        kind: 'parts',
        standing: 'forbidden',
        effect: pathEffect(path),
        why: `${path.path} is outside the session's folders.`,
      });
    } else {
      const { access, protects } = path;
      units.push({
        text: path.path,
        ...named,
        kind: 'parts',
        standing: access === 'read' && path.sensitive !== true ? 'free' : 'guarded',
        effect: pathEffect(path),
        ...(access === 'write' && protects !== undefined && { protects }),
        ...optional({ set: path.set }),
      });
    }
  }
  for (const url of facts.urls ?? [])
    units.push({ text: url, ...(isCommand && { name: hostName(url) }), kind: 'text', standing: 'guarded' });
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
