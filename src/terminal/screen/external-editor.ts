/** Opens a text in the user's editor and returns what was saved. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { TuiAltScreen } from '@earendil-works/pi-tui';
import type { Environment } from '../../ports/environment.ts';

export interface EditorText {
  /** The file's name, from which an editor knows its language. */
  readonly name: string;
  readonly text: string;
}

const editing = new WeakSet<TuiAltScreen>();

/** While it is true, the terminal belongs to the editor. */
export function isInEditor(tui: TuiAltScreen): boolean {
  return editing.has(tui);
}

export async function editInEditor(
  tui: TuiAltScreen,
  { name, text }: EditorText,
  env: Environment,
): Promise<string> {
  const command = env['VISUAL'] || env['EDITOR'] || 'vi';
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-draft-'));
  const file = path.join(folder, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
    tui.stop({ preserveScreen: true });
    editing.add(tui);
    process.on('SIGINT', leaveToEditor);
    // The editor may have options, such as `code --wait`.
    const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0)
      throw new Error(`The editor failed (${command}, exit code ${code ?? 'none'}). Nothing changed.`);
    return await readFile(file, 'utf8');
  } finally {
    process.off('SIGINT', leaveToEditor);
    editing.delete(tui);
    tui.start();
    tui.renderNow(true);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ctrl+C reaches every process of the terminal. It ends an editor that doesn't take it as a key, not the chat. */
function leaveToEditor(): void {
  // The editor's exit is reported.
}
