import path from 'node:path';

import type { SegmentFact } from '../../kernel/call.ts';
import type { SetFact } from '../../kernel/call-set.ts';
import { exceeds } from '../../kernel/effect.ts';
import type { ToolContext } from '../../ports/tool.ts';
import type { NamedProgram } from '../../git/looking-program.ts';
import { gitLook } from '../../security/read-only/git-looks.ts';
import { raisingWord } from '../../security/shell/resolve-options.ts';
import { writesOf } from '../../security/shell/segment-facts.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { programName } from '../../security/shell/shell-word.ts';
import type { CommandForm } from './command-form.ts';
import { type CommandEffect, EDITS } from './effect-tables.ts';
import { isProgramOfRoots } from '../git/program-place.ts';
import { hooksPin, pinOf } from './script-pin.ts';
import type { ShellReach } from './shell-reach.ts';
import { optional } from '../../kernel/optional.ts';

interface Known {
  readonly form: CommandForm;
  readonly effect: CommandEffect;
  readonly reach: ShellReach;
  readonly folder: string | undefined;
  readonly isMild: boolean;
  /** What makes a read-only command start a program of the repository. */
  readonly starts: string | undefined;
  readonly isPinned: boolean;
  readonly programs: readonly NamedProgram[];
  readonly set?: SetFact;
  readonly brings?: string;
}

export function segmentFact(
  segment: Segment,
  { form, effect, reach, folder, isMild: reads, starts, isPinned, programs, set, brings }: Known,
  context: ToolContext,
): SegmentFact {
  const changes = effect.effect === 'repository' && folder !== undefined;
  const hooks = changes ? hooksPin(folder, programs) : undefined;
  const [program] = changes ? programs : [];
  const runsCode = hooks !== undefined || starts !== undefined;
  const own = form.environment !== 'same' ? 'unknown' : runsCode ? 'build' : effect.effect;
  const does = reach.isOutside && exceeds('outside', own) ? 'outside' : own;
  const script = effect.script === undefined || folder === undefined ? undefined : pinOf(effect.script, folder);
  const pin = isPinned ? (script ?? hooks) : undefined;
  const raisedBy =
    starts ??
    brings ??
    program?.name ??
    (form.text === segment.text ? (raisingWord(segment.words) ?? writtenWord(segment)) : undefined);
  const folderText = folder === undefined ? undefined : relativeFolder(folder, context);
  const isOnce =
    form.environment === 'unknown' ||
    effect.once === true ||
    (effect.script?.type === 'project' && script === undefined) ||
    folder === undefined ||
    starts !== undefined ||
    brings !== undefined ||
    isProgramOfRoots(segment.words[0] ?? '', context.roots);
  return {
    text: form.text,
    ...(segment.opaque && { opaque: true }),
    ...(form.also.length > 0 && { also: form.also }),
    effect: does,
    ...optional({ raisedBy, pin, folder: folderText }),
    ...(isOnce && { once: true }),
    ...(reads && form.environment === 'same' && !isOnce && { mild: true }),
    ...(set !== undefined && form.environment === 'same' && !isOnce && does !== 'outside' && { set }),
  };
}

export function isGitLook({ words }: Segment): boolean {
  return programName(words[0]) === 'git' && gitLook(words.slice(1)) !== undefined;
}

/** A file written by a program that usually only reads, such as the second operand of `uniq`. */
function writtenWord(segment: Segment): string | undefined {
  if (EDITS.has(programName(segment.words[0]))) return undefined;
  const redirected = new Set(segment.redirects.map(({ target }) => target));
  return writesOf(segment).find(({ text }) => !redirected.has(text))?.text;
}

function relativeFolder(folder: string, context: ToolContext): string | undefined {
  const relative = path.relative(context.cwd, folder);
  return relative === '' ? undefined : relative.split(path.sep).join('/');
}
