import type { RewindResult, RewoundFiles } from '../../session/rewind-session.ts';

export function rewoundText({ conversation, files }: Extract<RewindResult, { type: 'rewound' }>): string {
  return [
    ...(conversation === undefined ? [] : [`The conversation goes on from event ${conversation}.`]),
    ...fileLines(files),
    'Back again: rondo rewind SESSION --undo',
  ].join('\n');
}

function fileLines(files: RewoundFiles): readonly string[] {
  switch (files.type) {
    case 'left':
      return [];
    case 'restored-before':
      return ['The files were brought back before.'];
    case 'unchanged':
      return ['No file was changed since.'];
    case 'restored':
      return [
        `${files.restored.length} files are as they were, ${files.removed.length} that came since are gone.`,
        ...files.blocked.map((file) => `Left as it is, something else stands in the way: ${file}`),
      ];
  }
}
