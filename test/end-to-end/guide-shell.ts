// One shell for all blocks of a page: folder, variables and exit code go from one command to the next.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

interface ShellEnded {
  readonly code: number;
  /** Both outputs, as on a terminal. */
  readonly printed: string;
}

export interface GuideShell extends AsyncDisposable {
  run(command: string): Promise<ShellEnded>;
  /** A server: it stays until the next one is started or the page ends. */
  serve(command: string): Promise<string>;
}

const mark = '\u0001';
/** A command that waits for something fails with its name, long before its page does. */
const mostMs = 40_000;

export function createGuideShell(cwd: string, env: Readonly<Record<string, string>>): GuideShell {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: 'pipe' });
  let printed = '';
  let settle: ((ended: ShellEnded) => void) | undefined;
  let server: ChildProcess | undefined;
  const hear = (chunk: Buffer): void => {
    printed += chunk.toString();
    const [, words, code] = new RegExp(`^([^]*)${mark}(\\d+)${mark}`).exec(printed) ?? [];
    if (words === undefined) return;
    printed = '';
    settle?.({ code: Number(code), printed: words });
  };
  shell.stdout.on('data', hear);
  shell.stderr.on('data', hear);

  async function endServer(): Promise<void> {
    if (server === undefined || server.exitCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'close');
  }
  return {
    run(command) {
      const { promise: ended, resolve, reject } = Promise.withResolvers<ShellEnded>();
      const late = setTimeout(() => reject(new Error(`${command} doesn't end; it printed ${printed}`)), mostMs);
      settle = (result) => (clearTimeout(late), resolve(result));
      // The last line sets $? again, for a next command that is `echo $?`.
      shell.stdin.write(
        `{ ${command}\n} < /dev/null 2>&1\nstatus=$?; printf '\\001%s\\001' $status; (exit $status)\n`,
      );
      return ended;
    },
    async serve(command) {
      await endServer();
      const child = spawn('bash', ['-c', `exec ${command}`], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      server = child;
      const words = await new Promise<string>((resolve, reject) => {
        let heard = '';
        const listen = (chunk: Buffer): void => {
          heard += chunk.toString();
          if (/Rondo is at \S+\n/.test(heard)) resolve(heard);
        };
        child.stdout.on('data', listen);
        child.stderr.on('data', listen);
        child.once('close', () => reject(new Error(`${command} ended: ${heard}`)));
      });
      return words;
    },
    async [Symbol.asyncDispose]() {
      await endServer();
      shell.kill('SIGKILL');
      if (shell.exitCode === null && shell.signalCode === null) await once(shell, 'exit');
    },
  };
}
