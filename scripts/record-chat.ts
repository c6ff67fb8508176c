// `node scripts/record-chat.ts`: walks through a chat on a real pseudo-terminal and draws what its screen shows
// into docs/chat.svg. Needs no key and no network.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { IBufferCell } from '@xterm/headless';

import { keys, openPty, type PtyScreen } from '../test/end-to-end/pty-screen.ts';
import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/record-chat.ts\n\nWalks through a chat on a pseudo-terminal and draws its screen into docs/chat.svg. Takes no options.`,
  {},
);
const root = path.resolve(import.meta.dirname, '..');
const cell = { width: 8.4, height: 18 };
const [columns, rows] = [92, 44];
const colours = ['#1b1d23', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4'];

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
  await screen.saw('enter sends');
  await say(screen, 'call read {"path":"beds.ts"}');
  await screen.saw('✓ read beds.ts');
  await say(screen, 'call edit {"path":"beds.ts","edits":[{"old_text":"beds = 3","new_text":"beds = 4"}]}');
  await screen.saw('Allow once');
  screen.type('y');
  await screen.saw('✓ edit beds.ts');
  await screen.gone('ctrl+c cancels');
  await say(screen, 'call shell {"command":"git add beds.ts && git commit -m \'One bed more\'"}');
  await screen.saw('Allow once');
  return toSvg(screen);
}

async function say(screen: PtyScreen, text: string): Promise<void> {
  screen.type(text);
  await screen.saw(text.slice(0, 20));
  screen.type(keys.enter);
}

function toSvg({ terminal }: PtyScreen): string {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const line = active.getLine(active.baseY + row);
    if (line === undefined) continue;
    let run: { style: string; text: string; from: number } | undefined;
    const flush = () => {
      if (run === undefined || run.text.trim() === '') return;
      const x = (12 + run.from * cell.width).toFixed(1);
      const y = (26 + row * cell.height).toFixed(1);
      lines.push(`<text x="${x}" y="${y}"${run.style} xml:space="preserve">${escaped(run.text.trimEnd())}</text>`);
    };
    for (let column = 0; column < columns; column += 1) {
      const at = line.getCell(column);
      if (at === undefined || at.getWidth() === 0) continue;
      const style = styleOf(at);
      const chars = at.getChars() || ' ';
      if (run?.style === style) run.text += chars;
      else {
        flush();
        run = { style, text: chars, from: column };
      }
    }
    flush();
  }
  const [width, height] = [24 + columns * cell.width, 24 + rows * cell.height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#c8ccd4">
<title>A chat with Rondo in a terminal: a file is read and edited, a commit waits for approval</title>
<rect width="100%" height="100%" rx="8" fill="#1b1d23"/>
${lines.join('\n')}
</svg>
`;
}

function styleOf(at: IBufferCell): string {
  const colour = at.isFgDefault() ? undefined : at.isFgRGB() ? hex(at.getFgColor()) : colours[at.getFgColor() % 8];
  return [
    colour === undefined ? '' : ` fill="${colour}"`,
    at.isBold() === 0 ? '' : ' font-weight="bold"',
    at.isDim() === 0 ? '' : ' fill-opacity="0.6"',
  ].join('');
}

function hex(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
