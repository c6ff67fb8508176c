import { previewOf } from '../../kernel/content.ts';
import { oneLine } from '../../views/one-line.ts';
import { visibleLine } from '../../views/visible-text.ts';
import type { RewindPoint } from '../../views/rewind-points.ts';
import { counted } from '../../wording/counted.ts';
import type { RewindResult, RewoundFiles } from '../../ports/rewind.ts';

interface RewoundWords {
  /** The command that reverts the rewind. */
  readonly undo: string;
  /** The prompt that was taken back. */
  readonly before?: string | undefined;
  /** The turn that the person named, from 1; 0 is before the first. */
  readonly turn?: number | undefined;
  /** Files that were changed after the session's last turn, before the rewind. */
  readonly foreign?: readonly string[] | undefined;
}

export function rewoundLines(
  { conversation, files }: Extract<RewindResult, { type: 'rewound' }>,
  words: RewoundWords,
): readonly string[] {
  const { undo } = words;
  const place = placeText(words) ?? `event ${conversation}`;
  return [
    ...(conversation === undefined ? [] : [`Rewound to ${place}.`]),
    ...fileLines(files, words.foreign),
    `Undo: ${undo}`,
  ];
}

function placeText({ before, turn }: RewoundWords): string | undefined {
  if (before !== undefined) return `before "${oneLine(before)}"`;
  if (turn === undefined) return undefined;
  return turn === 0 ? 'before the first turn' : `the end of turn ${turn}`;
}

/** The prompts to go back to, with the words that choose one. */
export function pointLines(points: readonly RewindPoint[]): readonly string[] {
  if (points.length === 0) return ['No prompts to go back to.'];
  return [
    ...points.map((point) => `#${point.number}  ${oneLine(previewOf(point.text))}  ${changedText(point)}`),
    'Go back with /rewind #N (chat and files), /rewind #N chat, /rewind #N files, or fork with /fork #N.',
  ];
}

function changedText({ added, removed, commands }: RewindPoint): string {
  if (added + removed > 0) return `+${added} −${removed}`;
  return commands.length === 0 ? 'no files' : counted(commands.length, 'command');
}

function fileLines(files: RewoundFiles, foreign: readonly string[] = []): readonly string[] {
  switch (files.type) {
    case 'left':
      return [];
    case 'restored-before':
      return ['The files were restored before.'];
    case 'unchanged':
      return ['No files changed since.'];
    case 'restored':
      return [
        ...namedFiles('restored', files.restored),
        ...namedFiles('removed', files.removed),
        // A restore takes a person's later changes to these files along.
        ...(files.restored.length + files.removed.length === 0
          ? ['No files changed.']
          : [
              ...(foreign.length === 0
                ? []
                : [`Changed outside this session since its last turn: ${namesOf(foreign)}`]),
              'Rondo saved what they held, including changes of your own. Undo brings it back.',
            ]),
        ...files.blocked.map((file) => `Not restored, something else is in its place: ${visibleLine(file)}`),
      ];
  }
}

const mostNames = 5;

function namedFiles(done: string, files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  return [`${counted(files.length, 'file')} ${done}: ${namesOf(files)}`];
}

function namesOf(files: readonly string[]): string {
  const more = files.length - mostNames;
  return [...files.slice(0, mostNames).map(visibleLine), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
