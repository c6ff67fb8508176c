// `node scripts/record-chat.ts`: plays a chat on a real pseudo-terminal and draws its screen into docs/chat.svg.
// Needs no key and no network.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { keys, openPty, type PtyScreen } from '../test/end-to-end/pty-screen.ts';
import { drawingOf, pictureOf } from './screen-svg.ts';
import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/record-chat.ts\n\nWalks through a chat on a pseudo-terminal and draws its screen into docs/chat.svg. Takes no options.`,
  {},
);
const root = path.resolve(import.meta.dirname, '..');
const [columns, rows] = [92, 44];

const place = mkdtempSync(path.join(os.tmpdir(), 'rondo-record-'));
const project = path.join(place, 'garden');
mkdirSync(project);
writeFileSync(path.join(project, 'beds.ts'), 'export const beds = 3;\n');
try {
  const svg = await walkThrough();
  writeFileSync(path.join(root, 'docs/chat.svg'), svg);
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function walkThrough(): Promise<string> {
  await using screen = openPty(
    process.execPath,
    [path.join(root, 'bin/rondo.cjs'), 'chat', '--agent', 'testing'],
    {
      cwd: project,
      columns,
      rows,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: place,
        RONDO_HOME: path.join(place, 'home'),
        TERM: 'xterm-256color',
        COLORTERM: 'truecolor',
        OLLAMA_HOST: '127.0.0.1:9',
      },
    },
  );
  await screen.saw('Ask, or describe a change');
  await say(screen, 'call read {"path":"beds.ts"}');
  await screen.saw('✓ Read beds.ts');
  await say(screen, 'call edit {"path":"beds.ts","edits":[{"old_text":"beds = 3","new_text":"beds = 4"}]}');
  await focused(screen);
  screen.type('y');
  await screen.saw('✓ Edited beds.ts');
  await screen.gone('◐ Working');
  await say(screen, 'call shell {"command":"git add beds.ts && git commit -m \'One bed more\'"}');
  await focused(screen);
  const title = 'A chat with Rondo in a terminal: a file is read and edited, a commit needs approval';
  return pictureOf({ title, columns, rows }, drawingOf(screen.terminal));
}

/** The card ignores keys that were pressed before it could be read. */
async function focused(screen: PtyScreen): Promise<void> {
  await screen.saw('Press Tab to type');
  await sleep(400);
}

async function say(screen: PtyScreen, text: string): Promise<void> {
  screen.type(text);
  await screen.saw(text.slice(0, 20));
  screen.type(keys.enter);
}
