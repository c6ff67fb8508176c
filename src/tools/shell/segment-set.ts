import type { SetFact } from '../../kernel/call-set.ts';
import { exceeds } from '../../kernel/effect.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { isLocalChange } from '../git/local-change.ts';
import { isCheck, isInstalled } from './check-command.ts';
import type { CommandEffect } from './effect-tables.ts';
import type { PlainEdit } from './plain-edit.ts';
import { projectPin } from './project-scripts.ts';
import { hooksPin } from './script-pin.ts';

export interface SetPlace {
  readonly folder: string;
  readonly context: ToolContext;
  /** False if commands run within their permitted reach. */
  readonly isPinned: boolean;
}

/** The set of everyday calls that each segment of a line belongs to. A wrapper belongs to that of its command. */
export async function segmentSets(
  segments: readonly Segment[],
  effects: readonly CommandEffect[],
  edits: readonly (PlainEdit | undefined)[],
  place: SetPlace | undefined,
): Promise<readonly (SetFact | undefined)[]> {
  if (place === undefined) return segments.map(() => undefined);
  const own = await Promise.all(
    segments.map((segment, index) => ownSet(segment, effects[index], edits[index], place)),
  );
  return segments.map((segment, index) => {
    const inner = segments.findIndex(({ within }) => within === index);
    return inner !== -1 && isThinWrapper(segment, segments[inner]) ? own[inner] : own[index];
  });
}

async function ownSet(
  { words, via, opaque, dynamic }: Segment,
  effect: CommandEffect | undefined,
  edit: PlainEdit | undefined,
  { folder, context, isPinned }: SetPlace,
): Promise<SetFact | undefined> {
  if (edit !== undefined) return { name: 'edits' };
  if (opaque || dynamic.length > 0 || effect === undefined || effect.once === true) return undefined;
  const pinned = (pin: string | undefined) => (isPinned && pin !== undefined ? { pin } : {});
  if (words[0] === 'git') {
    const isLocal = !exceeds(effect.effect, 'repository') && (await isLocalChange(words.slice(1), folder));
    return isLocal ? { name: 'commits', ...pinned(hooksPin(folder)) } : undefined;
  }
  const root = context.roots.find((one) => isBelow(folder, one));
  if (effect.effect !== 'build' || root === undefined || !isCheck(words, { folder, root })) return undefined;
  if (via.includes('npx') && !isInstalled(words[0] ?? '', folder, context.roots)) return undefined;
  const pin = projectPin(root, folder);
  return pin === undefined ? undefined : { name: 'checks', ...pinned(pin) };
}

/** `npx eslint src` and `timeout 60 npm test`, without options of the wrapper. */
function isThinWrapper({ words }: Segment, inner: Segment | undefined): boolean {
  const held = inner?.words.join('\0') ?? '';
  const [program, ...rest] = words;
  if (program === 'npx' || program === 'time') return rest.join('\0') === held;
  return program === 'timeout' && /^\d+[smh]?$/.test(rest[0] ?? '') && rest.slice(1).join('\0') === held;
}
