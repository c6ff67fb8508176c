import { counted } from '../../wording/counted.ts';
import type { RewindResult, RewoundFiles } from '../../ports/rewind.ts';

/** `undo` is the command that reverts the rewind. */
export function rewoundLines(
  { conversation, files }: Extract<RewindResult, { type: 'rewound' }>,
  undo: string,
): readonly string[] {
  return [
    ...(conversation === undefined ? [] : [`Rewound to event ${conversation}.`]),
    ...fileLines(files),
    `Undo: ${undo}`,
  ];
}

function fileLines(files: RewoundFiles): readonly string[] {
  switch (files.type) {
    case 'left':
      return [];
    case 'restored-before':
      return ['The files were restored before.'];
    case 'unchanged':
      return ['No files changed since.'];
    case 'restored':
      return [
        `${counted(files.restored.length, 'file')} restored, ${counted(files.removed.length, 'file')} removed.`,
        ...files.blocked.map((file) => `Not restored, something else is in its place: ${file}`),
      ];
  }
}
