/**
 * Commands that an agent runs through Rondo. Each is a separate process tree, and none outlives `close`. The newest
 * output is kept up to a limit. If the session's commands run in a sandbox, so do these; a command that can't is
 * refused.
 */
import { optional } from '../../kernel/optional.ts';
import { childEnvironment } from '../../processes/child-environment.ts';
import { type ChildCommand, type ChildOutcome, runChild } from '../../processes/child-process.ts';
import { machineShell } from '../../processes/machine-shell.ts';
import { inSandbox, type CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import { resolveInside } from '../../security/paths/paths.ts';
import type { FilePlace, Served } from './served-files.ts';
import type { Environment } from '../../ports/environment.ts';

interface TerminalCommand {
  /** Runs in the same shell for which it was judged. */
  readonly line: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly outputByteLimit?: number;
}

interface TerminalOutput {
  readonly output: string;
  readonly truncated: boolean;
  readonly exitStatus?: ExitStatus;
}

interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface ServedTerminals {
  create(command: TerminalCommand): Promise<Served<string>>;
  output(id: string): TerminalOutput | undefined;
  exit(id: string): Promise<ExitStatus | undefined>;
  /** Ends the command. Its output stays readable. */
  kill(id: string): Promise<boolean>;
  release(id: string): Promise<boolean>;
  /** How many commands are running. */
  readonly running: number;
  close(): Promise<void>;
}

interface Terminal {
  readonly done: Promise<ExitStatus>;
  readonly abort: AbortController;
  readonly limit: number;
  kept: Buffer;
  bytes: number;
  exit?: ExitStatus;
}

const limits = { terminals: 32, outputBytes: 1024 * 1024, timeoutMs: 60 * 60 * 1000 };

export function createServedTerminals(
  { cwd, roots, session, epoch }: FilePlace & { readonly session: string; readonly epoch: number },
  env: Environment,
  sandbox?: CommandSandbox,
): ServedTerminals {
  const terminals = new Map<string, Terminal>();
  let made = 0;

  function run(
    command: Pick<ChildCommand, 'command' | 'args' | 'environment' | 'cwd'>,
    limit: number,
    finish: () => Promise<readonly { readonly note: string }[]>,
  ): Terminal {
    const abort = new AbortController();
    const result = runChild({
      ...command,
      marker: { session, epoch },
      signal: abort.signal,
      timeoutMs: limits.timeoutMs,
      outputBytes: 1024,
      onOutput(_stream, chunk) {
        terminal.bytes += chunk.length;
        terminal.kept = newest(Buffer.concat([terminal.kept, chunk]), limit);
      },
    });
    const terminal: Terminal = {
      abort,
      limit,
      kept: Buffer.alloc(0),
      bytes: 0,
      done: result.then(async ({ outcome }) => {
        const notes = (await finish()).map(({ note }) => `[${note}]\n`).join('');
        terminal.kept = newest(Buffer.concat([terminal.kept, Buffer.from(notes)]), limit);
        return (terminal.exit = statusOf(outcome));
      }),
    };
    return terminal;
  }

  async function end(id: string): Promise<boolean> {
    const terminal = terminals.get(id);
    terminal?.abort.abort();
    await terminal?.done;
    return terminal !== undefined;
  }

  const isRunning = ({ exit }: Terminal) => exit === undefined;

  return {
    async create(request) {
      const folder = await resolveInside(request.cwd ?? cwd, { roots, from: cwd });
      if (folder.type === 'outside') return { type: 'refused', message: folder.message };
      if (terminals.size >= limits.terminals) {
        return { type: 'refused', message: `${limits.terminals} terminals are open already; release one` };
      }
      const shell = machineShell();
      const ready = await inSandbox(
        {
          argv: [shell.path, ...shell.flags, '-c', request.line],
          env: childEnvironment(env, { set: request.env }),
          cwd: folder.real,
        },
        roots,
        sandbox,
      );
      if (ready.type === 'unavailable') return { type: 'refused', message: ready.message };
      const [command = '', ...args] = ready.argv;
      const limit = Math.min(request.outputByteLimit ?? limits.outputBytes, limits.outputBytes);
      made += 1;
      const id = `term_${made}`;
      terminals.set(id, run({ command, args, environment: ready.env, cwd: folder.real }, limit, ready.finish));
      return { type: 'done', value: id };
    },
    output(id) {
      const terminal = terminals.get(id);
      if (terminal === undefined) return undefined;
      const { kept, bytes, limit, exit } = terminal;
      return {
        output: kept.toString('utf8'),
        truncated: bytes > limit,
        ...optional({ exitStatus: exit }),
      };
    },
    exit: async (id) => terminals.get(id)?.done,
    kill: end,
    async release(id) {
      const isKnown = await end(id);
      terminals.delete(id);
      return isKnown;
    },
    get running() {
      return [...terminals.values()].filter(isRunning).length;
    },
    async close() {
      await Promise.all([...terminals.keys()].map(end));
      terminals.clear();
    },
  };
}

/** The end of the content, cut at a character boundary. */
function newest(content: Buffer, limit: number): Buffer {
  if (content.length <= limit) return content;
  let from = content.length - limit;
  while (from < content.length && ((content[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return Buffer.from(content.subarray(from));
}

function statusOf(outcome: ChildOutcome): ExitStatus {
  switch (outcome.type) {
    case 'exited':
      return { exitCode: outcome.code, signal: null };
    case 'signalled':
      return { exitCode: null, signal: outcome.signal };
    case 'timed-out':
    case 'cancelled':
      return { exitCode: null, signal: 'SIGTERM' };
    case 'not-started':
      return { exitCode: 127, signal: null };
  }
}
