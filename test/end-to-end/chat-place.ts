// `rondo chat` on a pseudo-terminal, with a separate home and project.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { openPty, type PtyOptions, type PtyScreen } from './pty-screen.ts';
import { createRondoHome, rondoBinary } from '../fixtures/rondo-binary.ts';

export interface ChatPlace extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  chat(words?: readonly string[], options?: Partial<PtyOptions>): PtyScreen;
  /** A chat whose empty prompt is on the screen. */
  readyChat(options?: Partial<PtyOptions>, words?: readonly string[]): Promise<PtyScreen>;
  write(file: string, content: string): Promise<string>;
}

export async function createChatPlace(): Promise<ChatPlace> {
  const place = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-chat-')));
  const project = path.join(place, 'project');
  const home = createRondoHome(path.join(place, 'home'));
  await mkdir(project);
  const screens: PtyScreen[] = [];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: place,
    RONDO_HOME: home,
    TERM: 'xterm-256color',
    OLLAMA_HOST: '127.0.0.1:9',
    LANG: 'C.UTF-8',
    // Where a sandbox works, most requests of these tests wouldn't ask.
    RONDO_BWRAP: 'none',
  };
  const chat: ChatPlace['chat'] = (words = ['--agent', 'testing'], options = {}) => {
    const screen = openPty(process.execPath, [rondoBinary, 'chat', ...words], {
      cwd: project,
      ...options,
      env: { ...env, ...options.env },
    });
    screens.push(screen);
    return screen;
  };
  return {
    home,
    project,
    env,
    chat,
    async readyChat(options, words) {
      const screen = chat(words, options);
      await screen.saw('Ask, or describe a change');
      return screen;
    },
    async write(file, content) {
      const full = path.join(project, file);
      await mkdir(path.dirname(full), { recursive: true });
      await writeFile(full, content);
      return full;
    },
    async [Symbol.asyncDispose]() {
      for (const screen of screens) await screen[Symbol.asyncDispose]();
      await rm(place, { recursive: true, force: true });
    },
  };
}
