import type { Readable } from 'node:stream';

import { prepareGit } from '../../git/prepare-git.ts';
import { createOutputCapture } from '../../processes/captured-output.ts';
import {
  type ChildOutcome,
  type ChildResult,
  type ProcessTree,
  spawnTree,
} from '../../processes/child-process.ts';
import type { ToolRun } from '../../ports/tool.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import { limited } from '../../security/sandbox/resource-limits.ts';
import type { ReadOnlyStage, ReadOnlyStep } from './read-only-steps.ts';
import { sandboxed } from './sandboxed-command.ts';
import { failure, type ToolFailure } from '../define/tool-failure.ts';

interface ReadOnlyRun {
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly sandbox?: CommandSandbox;
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

/** Runs the steps without a shell, with a fixed environment and empty standard input. */
export async function runReadOnly(
  steps: readonly ReadOnlyStep[],
  context: ToolRun,
  options: ReadOnlyRun,
): Promise<ChildResult | ToolFailure> {
  const stdout = createOutputCapture(options.outputBytes);
  const stderr = createOutputCapture(options.outputBytes);
  const keep = { stdout, stderr };
  const take = (stream: 'stdout' | 'stderr', chunk: Buffer) => {
    keep[stream].push(chunk);
    options.onOutput(stream, chunk);
  };
  const deadline = performance.now() + options.timeoutMs;
  let outcome: ChildOutcome = { type: 'exited', code: 0 };
  for (const { when, stages } of steps) {
    const isSuccess = outcome.type === 'exited' && outcome.code === 0;
    if ((when === 'success' && !isSuccess) || (when === 'failure' && isSuccess)) continue;
    if (stages.length === 0) continue;
    const started = await start(stages, context, options.sandbox);
    if ('type' in started) return started;
    const timeoutMs = deadline - performance.now();
    outcome = await pipeline(stages, started.trees, { take, context, timeoutMs });
    for (const finish of started.finishes) await finish();
    if (outcome.type !== 'exited') break;
  }
  return { outcome, stdout: stdout.end(), stderr: stderr.end(), killed: [] };
}

async function start(
  stages: readonly ReadOnlyStage[],
  context: ToolRun,
  sandbox: CommandSandbox | undefined,
): Promise<Started | ToolFailure> {
  const commands = [];
  const finishes: Started['finishes'][number][] = [];
  for (const { program, args, cwd, isGit } of stages) {
    if (isGit === true) {
      const git = await prepareGit({ args, cwd, dir: 'generated', environment: WITH_WILDCARDS });
      if ('type' in git) {
        for (const finish of finishes) await finish();
        return failure('git-failed', git.type === 'failed' ? git.message : git.stderr);
      }
      commands.push({ ...git.command, argv: await limited(git.command.argv) });
      finishes.push(async () => await git[Symbol.asyncDispose]());
      continue;
    }
    const ready = await sandboxed({ argv: [program, ...args], env: FIXED, cwd }, context, sandbox);
    if (ready.type !== 'ready') return ready;
    commands.push({ argv: ready.argv, env: ready.env, cwd });
    finishes.push(ready.finish);
  }
  const { session, epoch, effect } = context;
  // Starts all in one turn of the event loop, so that none ends before its stages are joined.
  const trees = await Promise.all(
    commands.map(({ argv: [command = '', ...args], env, cwd }) =>
      spawnTree({ command, args, cwd, environment: env, marker: { session, epoch, effect } }),
    ),
  );
  return { trees, finishes };
}

/** The runner takes paths literally, but a read-only command may use wildcards. */
const WITH_WILDCARDS: Readonly<Record<string, string>> = { GIT_LITERAL_PATHSPECS: '0' };

interface Started {
  readonly trees: readonly ProcessTree[];
  /** The sandbox's clean-up after each of them. */
  readonly finishes: readonly (() => Promise<unknown>)[];
}

const FIXED: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  NO_COLOR: '1',
};

interface Surroundings {
  readonly take: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
  readonly context: ToolRun;
  readonly timeoutMs: number;
}

/** Joins the stages and waits for the last one. No process is left when it settles. */
async function pipeline(
  stages: readonly ReadOnlyStage[],
  trees: readonly ProcessTree[],
  { take, context, timeoutMs }: Surroundings,
): Promise<ChildOutcome> {
  for (const [index, tree] of trees.entries()) {
    const stage = stages[index];
    const next = trees[index + 1]?.child.stdin ?? undefined;
    tree.child.stdin?.on('error', () => undefined);
    if (index === 0) tree.child.stdin?.end();
    const { stdout, stderr } = tree.child;
    const onward = [
      ...(stage?.stdout === 'on' ? [stdout] : []),
      ...(stage?.stderr === 'as-stdout' ? [stderr] : []),
    ].filter((stream) => stream !== null);
    if (next === undefined)
      for (const stream of onward) stream.on('data', (chunk: Buffer) => take('stdout', chunk));
    else join(onward, next);
    if (stage?.stdout === 'dropped') stdout?.resume();
    if (stage?.stderr === 'dropped') stderr?.resume();
    if (stage?.stderr === 'kept') stderr?.on('data', (chunk: Buffer) => take('stderr', chunk));
  }
  const { promise, resolve } = Promise.withResolvers<ChildOutcome>();
  const cancel = () => resolve({ type: 'cancelled' });
  const timer = setTimeout(() => resolve({ type: 'timed-out' }), Math.max(1, timeoutMs));
  context.signal.addEventListener('abort', cancel, { once: true });
  if (context.signal.aborted) cancel();
  try {
    return await Promise.race([endOf(trees), promise]);
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', cancel);
    await Promise.all(trees.map((tree) => tree.kill()));
    for (const { child } of trees) {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
  }
}

/** The outcome of the last stage, once all its output has arrived. */
async function endOf(trees: readonly ProcessTree[]): Promise<ChildOutcome> {
  const last = trees.at(-1);
  if (last === undefined) return { type: 'exited', code: 0 };
  const drained = new Promise<void>((resolve) => last.child.once('close', () => resolve()));
  const outcome = await last.ended;
  if (outcome.type !== 'not-started') await drained;
  return outcome;
}

/** Merges all streams into one. When the reader stops, the writers end. */
function join(streams: readonly Readable[], next: NodeJS.WritableStream): void {
  let open = streams.length;
  if (open === 0) next.end();
  for (const stream of streams) {
    stream.pipe(next, { end: false });
    stream.once('end', () => {
      open -= 1;
      if (open === 0) next.end();
    });
    next.once('close', () => stream.destroy());
  }
}
