// A program on a real pseudo-terminal, and the screen as a person would see it.
import { createRequire } from 'node:module';

import { spawn } from '@lydell/node-pty';
import type { Terminal as XtermTerminal } from '@xterm/headless';

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as {
  Terminal: typeof XtermTerminal;
};

export interface PtyScreen extends AsyncDisposable {
  readonly terminal: XtermTerminal;
  readonly pid: number;
  /** The rows on the screen now, without trailing blanks. */
  rows(): readonly string[];
  text(): string;
  /** Everything, including rows that scrolled away. */
  whole(): string;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves once the screen contains the text. */
  saw(wanted: string | RegExp): Promise<void>;
  gone(unwanted: string | RegExp): Promise<void>;
  until(holds: () => boolean, what: string): Promise<void>;
  readonly exited: Promise<number>;
  /** All bytes that the program has written. */
  readonly raw: string;
}

export interface PtyOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  readonly patienceMs?: number;
}

export const keys = {
  enter: '\r',
  escape: '\u001B',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlO: '\u000F',
  ctrlP: '\u0010',
  ctrlS: '\u0013',
  ctrlT: '\u0014',
  ctrlX: '\u0018',
  altEnter: '\u001B\r',
  altUp: '\u001B[1;3A',
  up: '\u001B[A',
  down: '\u001B[B',
  tab: '\t',
  shiftTab: '\u001B[Z',
  ctrlZ: '\u001A',
} as const;

export function openPty(program: string, words: readonly string[], options: PtyOptions): PtyScreen {
  const { cwd, env, columns = 80, rows = 24, patienceMs = 30_000 } = options;
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 });
  const child = spawn(program, [...words], {
    cwd,
    env,
    cols: columns,
    rows,
    name: env['TERM'] ?? 'xterm-256color',
  });
  let raw = '';
  let hasExited = false;
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watch of watchers) watch();
  };
  child.onData((data) => {
    raw += data;
    terminal.write(data, changed);
  });
  // A terminal answers queries.
  terminal.onData((data) => {
    if (!hasExited) child.write(data);
  });
  const exited = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      hasExited = true;
      // The last output may still be on its way to the screen.
      terminal.write('', () => {
        changed();
        resolve(exitCode);
      });
    });
  });

  const lineAt = (row: number) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '';
  const visible = () => {
    const { baseY } = terminal.buffer.active;
    return Array.from({ length: terminal.rows }, (_, row) => lineAt(baseY + row).trimEnd());
  };
  const text = () => visible().join('\n');
  const whole = () => Array.from({ length: terminal.buffer.active.length }, (_, row) => lineAt(row)).join('\n');
  // Ignores where a line was wrapped.
  const has = (wanted: string | RegExp) => {
    const all = whole();
    return typeof wanted === 'string'
      ? all.includes(wanted) || all.replaceAll(/\s+/g, ' ').includes(wanted)
      : wanted.test(all);
  };

  function until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        watchers.delete(check);
        reject(new Error(`${what} did not come within ${patienceMs} ms; the screen is:\n${text()}`));
      }, patienceMs);
      const check = () => {
        if (!holds()) return;
        clearTimeout(timer);
        watchers.delete(check);
        resolve();
      };
      watchers.add(check);
    });
  }

  return {
    terminal,
    pid: child.pid,
    rows: visible,
    text,
    whole,
    type: (given) => child.write(given),
    resize(width, height) {
      terminal.resize(width, height);
      child.resize(width, height);
    },
    saw: (wanted) => until(() => has(wanted), `"${wanted}"`),
    gone: (unwanted) => until(() => !has(unwanted), `the end of "${unwanted}"`),
    until,
    exited,
    get raw() {
      return raw;
    },
    async [Symbol.asyncDispose]() {
      if (!hasExited) {
        child.kill('SIGKILL');
        await exited;
      }
      terminal.dispose();
    },
  };
}
