import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { packRondo } from '../cli/packed-rondo.ts';
import { startFakeProvider } from '../harness/fake-provider.ts';
import { keys, openPty, type PtyScreen } from '../../test/end-to-end/pty-screen.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { atLeast, atMost, type Section } from '../harness/section.ts';
import { sleep } from '../harness/sleep.ts';
import { medianOf } from '../harness/statistics.ts';

const words = 20_000;
const typed = 40;

/** H. How soon the chat appears, and whether typing works while an answer streams. */
export async function measureTerminalChat(plan: Plan): Promise<Section> {
  using folder = createScratchFolder();
  await using provider = await startFakeProvider('--script', writeReplies(folder.path));
  const { program, project, env: own } = packRondo(folder.path, provider);
  const env = { ...own, TERM: 'xterm-256color' };
  const chat = () =>
    openPty(process.execPath, [program, 'chat'], {
      cwd: project,
      env,
      columns: 100,
      rows: 40,
    });

  const starts: { bare: number; paint: number; ready: number }[] = [];
  // The first start creates the store and fills Node's compile cache.
  for (let round = 0; round <= roundsOf(plan, 11); round += 1) {
    const bare = timed(() => execFileSync(process.execPath, ['-e', '0']));
    const from = performance.now();
    await using screen = chat();
    await screen.until(() => screen.text().includes('❯'), 'the first paint');
    const paint = performance.now() - from;
    await screen.saw('Ask, or describe a change');
    const ready = performance.now() - from;
    screen.type(keys.ctrlD);
    await screen.exited;
    if (round > 0) starts.push({ bare, paint, ready });
  }
  const echo = await measureEcho(chat);
  const median = (of: 'bare' | 'paint' | 'ready') => medianOf(starts.map((start) => start[of]));
  const most = 1.5 * median('bare') + 100;
  const echoed = echo.echoMs.toSorted((a, b) => a - b);
  const slowest = echoed[Math.floor(echoed.length * 0.95)] ?? Number.NaN;
  return {
    title: 'H. Terminal chat',
    work:
      'The built package runs on a pseudo-terminal whose screen is read back. First paint: the prompt is on the ' +
      `screen. Ready: the session is open. Typing: ${typed} keys while a provider on this machine streams an answer, ` +
      'measured from the key to its echo on the screen.',
    tables: [
      {
        title: 'Start of the chat',
        head: ['', '`node -e 0` ms', 'first paint ms', 'ready ms'],
        rows: [['Rondo', median('bare'), median('paint'), median('ready')]],
      },
      {
        title: 'Typing while an answer streams',
        head: ['', 'tokens per second', 'key to echo ms', '95 % within ms'],
        rows: [['Rondo', echo.tokensPerSecond, medianOf(echo.echoMs), slowest]],
      },
    ],
    figures: [
      atMost('`rondo chat`: first paint, ms over 1.5 × `node -e 0`', median('paint') - most + 100, 100, {
        of: 'time',
      }),
      atMost('`rondo chat`: key to echo while streaming', medianOf(echo.echoMs), 50, { of: 'time', unit: 'ms' }),
      atLeast('`rondo chat`: tokens per second while typing', echo.tokensPerSecond, 1000, { of: 'time' }),
    ],
    waitedShare: Number.NaN,
    remarks: [],
  };
}

async function measureEcho(chat: () => PtyScreen): Promise<{ echoMs: number[]; tokensPerSecond: number }> {
  await using screen = chat();
  await screen.saw('Ask, or describe a change');
  screen.type('go');
  await screen.saw('❯ go');
  screen.type(keys.enter);
  await screen.saw('token-50');
  const editor = () => screen.rows().findLast((row) => row.startsWith('❯')) ?? '';
  const newest = () => Math.max(...[...screen.text().matchAll(/token-(\d+)/g)].map(([, count]) => Number(count)));
  const [before, from] = [newest(), performance.now()];
  const echoMs: number[] = [];
  let line = '❯ ';
  for (let index = 0; index < typed; index += 1) {
    const key = String.fromCharCode(97 + (index % 26));
    line += key;
    const pressed = performance.now();
    screen.type(key);
    await screen.until(() => editor() === line, `the echo of ${key}`);
    echoMs.push(performance.now() - pressed);
    await sleep(60);
  }
  const tokensPerSecond = ((newest() - before) / (performance.now() - from)) * 1000;
  screen.type(keys.ctrlC);
  return { echoMs, tokensPerSecond };
}

function timed(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

/** One slow answer, as the provider's script. */
function writeReplies(folder: string): string {
  // A timer fires at most about 800 times per second: two tokens per piece.
  const text = Array.from({ length: words / 2 }, (_, index) => {
    const gap = index % 30 === 29 ? '\n\n' : ' ';
    return `token-${2 * index} token-${2 * index + 1}${gap}`;
  });
  const script = path.join(folder, 'replies.json');
  writeFileSync(script, JSON.stringify([{ text, chunkMs: 1 }]));
  return script;
}
