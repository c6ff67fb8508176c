// The real binary with a separate home and project.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createRondoHome, rondoBinary } from '../fixtures/rondo-binary.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once standard output contains the text, and rejects if the command ends without it. */
  saw(text: string): Promise<void>;
}

export interface CliPlace extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  /** The command, for a shell. */
  readonly command: string;
  start(words: readonly string[], options?: StartOptions): Running;
  /** Runs a shell command on its own terminal; `out` has both of its outputs. */
  onTerminal(command: string): Running;
  rondo(...words: readonly string[]): Promise<Ended>;
  /** The output of `--json`, parsed. */
  json(...words: readonly string[]): Promise<unknown>;
  write(file: string, content: unknown): Promise<string>;
  /** Masks paths, ids, times and sizes, which differ from run to run; everything else is compared. */
  masked(text: string): string;
}

/** The least that the command needs: no key of this machine, no local model, no sandbox. */
export function bareEnv({ home }: Pick<CliPlace, 'home'>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    RONDO_HOME: path.join(home, '.rondo'),
    OLLAMA_HOST: '127.0.0.1:9',
    RONDO_BWRAP: 'none',
  };
}

interface StartOptions {
  readonly stdin?: string;
  /** Leaves its input open. The caller ends it. */
  readonly keepsInput?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export async function createCliPlace(): Promise<CliPlace> {
  const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-cli-')));
  const project = path.join(home, 'project');
  await mkdir(project);
  const rondoHome = createRondoHome(path.join(home, '.rondo'));
  const children: ChildProcess[] = [];

  function watch(program: string, words: readonly string[], env: StartOptions['env'] = {}): Running {
    const child = spawn(program, words, {
      cwd: project,
      // A sandbox that is installed would answer what tests ask about. Tests of the sandbox name theirs.
      env: { ...withoutKeys(process.env), RONDO_HOME: rondoHome, RONDO_BWRAP: 'none', ...env },
      stdio: 'pipe',
    });
    children.push(child);
    let out = '';
    let err = '';
    let hasEnded = false;
    const neverSaid = (text: string) => new Error(`${words.join(' ')} ended without ${text}:\n${out}\n${err}`);
    const waiting = new Map<string, PromiseWithResolvers<void>>();
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      for (const [text, { resolve }] of waiting) if (out.includes(text)) resolve();
    });
    child.once('close', () => {
      hasEnded = true;
      for (const [text, { reject }] of waiting) reject(neverSaid(text));
    });
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const ended = once(child, 'close').then(([code]: unknown[]) => ({ code: code as number | null, out, err }));
    const saw = async (text: string) => {
      if (out.includes(text)) return;
      if (hasEnded) throw neverSaid(text);
      const wait = waiting.get(text) ?? Promise.withResolvers<void>();
      waiting.set(text, wait);
      await wait.promise;
    };
    return { child, ended, saw };
  }
  function start(
    words: readonly string[],
    { stdin = '', env = {}, keepsInput = false }: StartOptions = {},
  ): Running {
    const running = watch(process.execPath, [rondoBinary, ...words], env);
    if (keepsInput) running.child.stdin?.write(stdin);
    else running.child.stdin?.end(stdin);
    return running;
  }
  const rondo = (...words: readonly string[]) => start(words).ended;

  return {
    home,
    project,
    command: `${process.execPath} ${rondoBinary}`,
    start,
    onTerminal: (command) => watch('script', ['-qec', command, '/dev/null']),
    rondo,
    json: async (...words) => JSON.parse((await rondo(...words, '--json')).out) as unknown,
    async write(file, content) {
      const full = path.join(project, file);
      await mkdir(path.dirname(full), { recursive: true });
      await writeFile(full, typeof content === 'string' ? content : JSON.stringify(content));
      return full;
    },
    masked: (text) =>
      text
        .replaceAll(home, '~')
        .replaceAll(/ses_[a-z0-9]+/g, 'ses_X')
        .replaceAll(/q_[a-z0-9]{8,}/g, 'q_X')
        .replaceAll(/rule_[a-f0-9]+/g, 'rule_X')
        .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, 'DATE')
        .replaceAll(/\b\d+(\.\d)?(s|m)\b/g, 'N$2')
        .replaceAll(/\b\d+(\.\d)? k?B\b/g, 'N kB')
        .replaceAll(/(p|P)rocess \d+/g, '$1rocess N'),
    async [Symbol.asyncDispose]() {
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      await Promise.all(running.map((child) => (child.kill('SIGKILL'), once(child, 'close'))));
      // A command's own children may still be closing their store.
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Removes API keys of the user who runs the tests; they would change which models are detected. */
function withoutKeys(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) => !/API_KEY|^AWS_|^OPENAI_|^ANTHROPIC_|^GEMINI_|^GOOGLE_|^RONDO_(?!BWRAP$)/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), OLLAMA_HOST: '127.0.0.1:9', NO_COLOR: '1' };
}
