import type { RewindResult, RewoundFiles } from '../../ports/rewind.ts';

/** `undo` is what brings it back. */
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
        `${filesText(files.restored.length)} restored, ${filesText(files.removed.length)} removed.`,
        ...files.blocked.map((file) => `Not restored, something else is in its place: ${file}`),
      ];
  }
}

function filesText(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
