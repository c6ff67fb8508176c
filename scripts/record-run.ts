// `node scripts/record-run.ts`: types a short demo into a real shell on a pseudo-terminal and draws its screen as
// an animation, docs/recording.svg. Needs no key and no network.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { keys, openPty, type PtyScreen } from '../test/end-to-end/pty-screen.ts';
import { animationOf, drawingOf, type Frame } from './screen-svg.ts';
import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/record-run.ts\n\nRecords \`rondo run\`, an answer and the resumed run into docs/recording.svg. Takes no options.`,
  {},
);
const root = path.resolve(import.meta.dirname, '..');
const [columns, rows] = [112, 24];
const seconds = 20;
const title = 'A run without a person stops at a question; after a restart the answer resumes it';

const place = mkdtempSync(path.join(os.tmpdir(), 'rondo-record-'));
const project = path.join(place, 'garden');
const programs = path.join(place, 'bin');
mkdirSync(project);
mkdirSync(programs);
writeFileSync(path.join(project, 'tax.ts'), 'export const rate = 0.2;\n');
writeFileSync(
  path.join(programs, 'rondo'),
  `#!/bin/sh\nexec "${process.execPath}" "${root}/bin/rondo.cjs" "$@"\n`,
  {
    mode: 0o755,
  },
);
try {
  writeFileSync(
    path.join(root, 'docs/recording.svg'),
    animationOf({ title, columns, rows, scheme: 'dark' }, await story(), seconds),
  );
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function story(): Promise<readonly Frame[]> {
  await using screen = openPty('/bin/bash', ['--norc', '--noprofile'], {
    cwd: project,
    columns,
    rows,
    env: {
      PATH: `${programs}:/usr/bin:/bin`,
      HOME: place,
      RONDO_HOME: path.join(place, 'home'),
      PS1: '$ ',
      TERM: 'xterm-256color',
      OLLAMA_HOST: '127.0.0.1:9',
    },
  });
  const frames: Frame[] = [];
  let prompts = 1;
  // Paced for a reader, not by the program: `at` is when the animation shows the current screen.
  const show = (at: number) => frames.push({ at, drawing: drawingOf(screen.terminal, 'dark') });
  const command = async (text: string, [from, till]: readonly [number, number]) => {
    await typed(screen, text, (part) => show(from + ((till - from) * part) / 2));
    screen.type(keys.enter);
    prompts += 1;
    await atPrompt(screen, prompts);
    show(till);
  };
  await atPrompt(screen, prompts);
  show(0);
  await command('rondo run "change 0.2 to 0.19 in tax.ts" < /dev/null', [0.5, 4]);
  await command('echo $?', [8.5, 9.5]);
  const question = /q_[0-9a-z]+/i.exec(screen.whole())?.[0];
  if (question === undefined) throw new Error(`no question is on the screen:\n${screen.whole()}`);
  await command('# a reboot, a deploy, a week later, from any machine', [10, 12]);
  await command(`rondo answer ${question} allow-once`, [12.2, 14.4]);
  await command('rondo run --session latest', [14.6, 17]);
  await screen.saw(/✓ .*Edited/);
  return frames;
}

/** Types in four parts, like a person. */
async function typed(screen: PtyScreen, text: string, after: (part: number) => void): Promise<void> {
  for (let part = 1; part <= 4; part += 1) {
    const until = Math.round((text.length * part) / 4);
    screen.type(text.slice(Math.round((text.length * (part - 1)) / 4), until));
    await screen.until(
      () => screen.whole().replaceAll('\n', '').includes(text.slice(0, until)),
      text.slice(0, until),
    );
    after(part / 4);
  }
}

/** Waits until the shell has written its prompt for the `nth` time. */
async function atPrompt(screen: PtyScreen, nth: number): Promise<void> {
  await screen.until(() => (screen.whole().match(/^\$/gm) ?? []).length === nth, `prompt ${nth}`);
}
