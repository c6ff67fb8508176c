import path from 'node:path';

import type { ExportFormat } from '../../upkeep/export-session.ts';

/** Where `/export [FILE]` writes a session, and as what: the file's ending says. */
export function exportTarget(
  file: string | undefined,
  { session, cwd }: { readonly session: string; readonly cwd: string },
): { readonly to: string; readonly format: ExportFormat } {
  return { to: path.resolve(cwd, file ?? `${session}.rondo`), format: formatOf(file ?? '') };
}

function formatOf(file: string): ExportFormat {
  if (file.endsWith('.md')) return 'markdown';
  return file.endsWith('.json') ? 'json' : 'bundle';
}
