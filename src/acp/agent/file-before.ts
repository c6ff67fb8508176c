import type { FileBuffers } from '../../ports/tool.ts';
import { openInside } from '../../security/paths/open-inside.ts';
import type { CallItem } from '../../views/transcript-item.ts';

/**
 * Reads files before calls change them, for diffs. A call's file is read once: later updates of the call repeat the
 * diff when the file has already changed.
 */
export function createFilesBefore(cwd: string, buffers: FileBuffers | undefined) {
  const texts = new Map<string, string | undefined>();
  return async ({ id, state }: CallItem, file: string): Promise<string | undefined> => {
    if (texts.has(id)) return texts.get(id);
    if (state.type !== 'planned' && state.type !== 'asking') return undefined;
    const saved = await textOf(file, cwd);
    const text = saved === undefined || saved === '' ? saved : ((await buffers?.read(file)) ?? saved);
    texts.set(id, text);
    for (const oldest of texts.size > most ? texts.keys() : []) {
      texts.delete(oldest);
      break;
    }
    return text;
  };
}

/** Empty if the file doesn't exist. Undefined if it isn't a small text file inside the folder. */
async function textOf(file: string, cwd: string): Promise<string | undefined> {
  const opened = await openInside(file, { roots: [cwd], from: cwd, access: 'read' });
  if (opened.type === 'outside') return undefined;
  if (opened.type === 'failed') return opened.code === 'ENOENT' ? '' : undefined;
  await using handle = opened.handle;
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size > mostBytes) return undefined;
  const text = await handle.readFile('utf8');
  return text.includes('\u0000') ? undefined : text;
}

const mostBytes = 1_000_000;
const most = 50;
