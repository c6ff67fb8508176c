// `node scripts/record-chat.ts`: plays a chat on a real pseudo-terminal and draws its screen as an animation, in the
// dark theme (docs/chat.svg) and the light one (docs/chat-light.svg).
// Needs no key and no network.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { keys, openPty, type PtyScreen } from '../test/end-to-end/pty-screen.ts';
import { animationOf, drawingOf, type Frame, type Scheme } from './screen-svg.ts';
import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/record-chat.ts\n\nWalks through a chat on a pseudo-terminal and draws its screen as an animation into docs/chat.svg and docs/chat-light.svg. Takes no options.`,
  {},
);
const root = path.resolve(import.meta.dirname, '..');
const [columns, rows] = [100, 36];
const seconds = 20;

for (const [scheme, file] of [
  ['dark', 'docs/chat.svg'],
  ['light', 'docs/chat-light.svg'],
] as const) {
  const place = mkdtempSync(path.join(os.tmpdir(), 'rondo-record-'));
  try {
    writeFileSync(path.join(root, file), await walkThrough(place, scheme));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function garden(place: string): string {
  const project = path.join(place, 'garden');
  mkdirSync(project);
  writeFileSync(path.join(project, 'beds.ts'), 'export const beds = 3;\n');
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Gardener'],
    ['config', 'user.email', 'gardener@example.org'],
    ['add', '.'],
    ['commit', '-qm', 'First beds'],
  ])
    execFileSync('git', words, { cwd: project });
  return project;
}

async function walkThrough(place: string, scheme: Scheme): Promise<string> {
  const words = [path.join(root, 'bin/rondo.cjs'), 'chat', '--theme', scheme];
  await using screen = openPty(process.execPath, words, {
    cwd: garden(place),
    columns,
    rows,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: place,
      RONDO_HOME: path.join(place, 'home'),
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      OLLAMA_HOST: '127.0.0.1:9',
      // The same recording everywhere: a sandbox would answer the requests.
      RONDO_BWRAP: 'none',
    },
  });
  const frames: Frame[] = [];
  // Paced for a reader, not by the program: `at` is when the animation shows the current screen.
  const show = (at: number) => frames.push({ at, drawing: drawingOf(screen.terminal, scheme) });
  await screen.saw('Ask, or describe a change');
  await screen.saw('No key found');
  await screen.saw('1 file');
  show(0);
  await say(screen, 'show beds.ts', [0.6, 1.4], show);
  await finished(screen, 1);
  show(2);
  await say(screen, 'change 3 to 4 in beds.ts', [3.4, 5], show);
  await focused(screen);
  show(5.6);
  screen.type('y');
  await finished(screen, 2);
  show(8);
  await say(screen, "run git add beds.ts && git commit -m 'One bed more'", [9.4, 11.4], show);
  await focused(screen);
  show(11.8);
  screen.type('y');
  await finished(screen, 3);
  show(15);
  const title = 'A chat with Rondo in a terminal: a file is read and edited, a commit needs approval and gets it';
  return animationOf({ title, columns, rows, scheme }, frames, seconds);
}

/** The card ignores keys that were pressed before it could be read. */
async function focused(screen: PtyScreen): Promise<void> {
  await screen.saw('Press Tab to type');
  await sleep(400);
}

/** The nth turn has ended. */
async function finished(screen: PtyScreen, nth: number): Promise<void> {
  await screen.until(
    () => (screen.text().match(/[✓✗■] (Finished|Failed|Stopped).* · /g) ?? []).length === nth,
    `turn ${nth}`,
  );
}

/** Types in four parts, like a person. */
async function say(
  screen: PtyScreen,
  text: string,
  [from, till]: readonly [number, number],
  show: (at: number) => void,
): Promise<void> {
  const typed = () => screen.rows().join('').replaceAll(/\s/g, '');
  for (let part = 1; part <= 4; part += 1) {
    const until = Math.round((text.length * part) / 4);
    screen.type(text.slice(Math.round((text.length * (part - 1)) / 4), until));
    await screen.until(() => typed().includes(text.slice(0, until).replaceAll(/\s/g, '')), text.slice(0, until));
    show(from + ((till - from) * part) / 4);
  }
  screen.type(keys.enter);
}
