import type { SessionId } from '../../kernel/ids.ts';
import type { RewindResult, RewoundFiles } from '../../session/branch/rewind-session.ts';
import { fileCount } from '../../worktrees/file-count.ts';

export function rewoundText(
  session: SessionId,
  { conversation, files }: Extract<RewindResult, { type: 'rewound' }>,
): string {
  return [
    ...(conversation === undefined ? [] : [`The conversation goes on from event ${conversation}.`]),
    ...fileLines(files),
    `Back again: rondo rewind ${session} --undo`,
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
        `${fileCount(files.restored.length)} as before, ${fileCount(files.removed.length)} that came since gone.`,
        ...files.blocked.map((file) => `Left as it is, something else stands in the way: ${file}`),
      ];
  }
}
