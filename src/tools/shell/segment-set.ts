import type { NamedProgram } from '../../git/looking-program.ts';
import type { SetFact } from '../../kernel/call-set.ts';
import { exceeds } from '../../kernel/effect.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { localChange, movesBranches } from '../git/local-change.ts';
import { isCheck, isInstalled } from './check-command.ts';
import type { CommandEffect } from './effect-tables.ts';
import type { PlainEdit } from './plain-edit.ts';
import { projectPin } from './project-scripts.ts';
import { hooksPin } from './script-pin.ts';

interface SetPlace {
  readonly folder: string;
  readonly context: ToolContext;
  /** False if commands run within their permitted reach. */
  readonly isPinned: boolean;
  /** What git would start besides hooks. */
  readonly programs: readonly NamedProgram[];
}

interface SegmentSet {
  readonly set?: SetFact;
  /** A file that decides what programs or agents do, of which the command checks out another version. */
  readonly brings?: string;
}

/** The set of everyday calls that each segment of a line belongs to. A wrapper belongs to that of its command. */
export async function segmentSets(
  segments: readonly Segment[],
  effects: readonly CommandEffect[],
  edits: readonly (PlainEdit | undefined)[],
  place: SetPlace | undefined,
): Promise<readonly SegmentSet[]> {
  if (place === undefined) return segments.map(() => NO_SET);
  const own = await Promise.all(
    segments.map((segment, index) => {
      const isMoved = segments.slice(0, index).some(({ words }) => movesBranches(words));
      return ownSet(segment, effects[index], edits[index], { ...place, isMoved });
    }),
  );
  return segments.map((segment, index) => {
    const inner = segments.findIndex(({ within }) => within === index);
    return (inner !== -1 && isThinWrapper(segment, segments[inner]) ? own[inner] : own[index]) ?? NO_SET;
  });
}

const NO_SET: SegmentSet = {};

async function ownSet(
  { words, via, opaque, dynamic }: Segment,
  effect: CommandEffect | undefined,
  edit: PlainEdit | undefined,
  { folder, context, isPinned, programs, isMoved }: SetPlace & { readonly isMoved: boolean },
): Promise<SegmentSet> {
  if (edit !== undefined) return { set: { name: 'edits' } };
  if (opaque || dynamic.length > 0 || effect === undefined || effect.once === true) return NO_SET;
  const pinned = (pin: string | undefined) => (isPinned && pin !== undefined ? { pin } : {});
  if (words[0] === 'git') {
    if (exceeds(effect.effect, 'repository')) return NO_SET;
    const change = await localChange(words.slice(1), { folder, context, isMoved });
    if (change?.type === 'brings') return { brings: change.name };
    return change === undefined ? NO_SET : { set: { name: 'commits', ...pinned(hooksPin(folder, programs)) } };
  }
  const root = context.roots.find((one) => isBelow(folder, one));
  if (effect.effect !== 'build' || root === undefined || !isCheck(words, { folder, root })) return NO_SET;
  if (via.includes('npx') && !isInstalled(words[0] ?? '', folder, context.roots)) return NO_SET;
  const pin = projectPin(root, folder);
  return pin === undefined ? NO_SET : { set: { name: 'checks', ...pinned(pin) } };
}

/** `npx eslint src` and `timeout 60 npm test`, without options of the wrapper. */
function isThinWrapper({ words }: Segment, inner: Segment | undefined): boolean {
  const held = inner?.words.join('\0') ?? '';
  const [program, ...rest] = words;
  if (program === 'npx' || program === 'time') return rest.join('\0') === held;
  return program === 'timeout' && /^\d+[smh]?$/.test(rest[0] ?? '') && rest.slice(1).join('\0') === held;
}
