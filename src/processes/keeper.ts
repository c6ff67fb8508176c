// Children die with their owner (O6).
//
// 1. Each process has one keeper. It starts before the first child and stops after an idle period without children.
// 2. The keeper ends everything that carries this process's mark, and every group it knows, when this process exits
//    for any reason or its deadline passes, for example because the process is suspended.
// 3. It learns of both through a pipe that no child inherits.
// 4. If a keeper dies, a new one replaces it and receives its state.
// 5. Nothing starts beside a keeper whose deadline passed: until it exits, it ends whatever carries the mark.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { childDeadline, type Deadline } from './deadline.ts';
import { keeperScript } from './keeper-script.ts';

export interface Keeper {
  /** Creates the unique mark that a new tree carries in its environment (`RONDO_KEEPER`). */
  newMark(): string;
  /** Resolves once a keeper runs. A string is the reason why none does. Call it before starting a child. */
  ready(): Promise<string | undefined>;
  watch(group: number): void;
  /** Stops watching a group that has no processes left. */
  forget(group: number): void;
  /** The keeper's process. Undefined if none runs. */
  readonly pid: number | undefined;
}

export interface KeeperOptions {
  readonly shell?: string;
  /** How long the keeper runs with nothing to watch. */
  readonly idleMs?: number;
  readonly deadline?: Deadline;
}

export function createKeeper({
  shell = findShell(),
  idleMs = 60_000,
  deadline = childDeadline,
}: KeeperOptions = {}): Keeper {
  const mark = randomUUID();
  const groups = new Set<number>();
  let running: ChildProcess | undefined;
  let starting: Promise<string | undefined> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let restarts = 0;
  let trees = 0;
  /** The deadline of the running keeper, on its shell's clock, which stops while the machine sleeps. */
  let strikesAt = Infinity;

  const isStriking = () => running !== undefined && performance.now() >= strikesAt;

  function tell(verb: 'watch' | 'forget' | 'extend' | 'quit', group = 0): void {
    if (isStriking()) return;
    const left = deadline.secondsLeft();
    // A passed deadline still applies to earlier children, because the keeper's timer stops while the machine
    // sleeps.
    const limit = left === undefined ? 'none' : Math.max(1, Math.ceil(left));
    strikesAt = limit === 'none' ? Infinity : performance.now() + limit * 1000;
    running?.stdin?.write(`${verb} ${group} ${limit}\n`);
  }

  function start(): Promise<string | undefined> {
    const child = spawn(shell, ['-c', keeperScript, 'rondo-keeper', mark], {
      // See child-environment.ts for SHLVL.
      env: { PATH: [process.env['PATH'], '/usr/bin', '/bin'].filter(Boolean).join(':'), SHLVL: '1' },
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.on('error', () => undefined);
    child.unref();
    (child.stdin as Partial<{ unref(): void }>).unref?.();
    running = child;
    strikesAt = Infinity;
    for (const group of groups) tell('watch', group);
    child.once('exit', () => {
      if (running !== child) return;
      running = undefined;
      starting = undefined;
      if (groups.size > 0) void replace();
    });
    return new Promise((resolve) => {
      child.once('spawn', () => resolve(undefined));
      child.once('error', (error) => {
        if (running === child) running = undefined;
        starting = undefined;
        resolve(`Can't start ${shell} to watch over child processes: ${error.message}.`);
      });
    });
  }

  async function replace(): Promise<void> {
    restarts += 1;
    if (restarts > 1) await sleep(Math.min(restarts * 50, 1_000), undefined, { ref: false });
    if (groups.size > 0) await ready();
  }

  const ready = async (): Promise<string | undefined> => {
    clearTimeout(idle);
    if (isStriking()) await untilStruck();
    const problem = await (starting ??= start());
    return problem ?? (isOver() ? leaseIsOver : undefined);
  };

  /** A shell whose `read` knows no timeout doesn't strike and stays. */
  async function untilStruck(): Promise<void> {
    const exit = running && once(running, 'exit', { signal: AbortSignal.timeout(mostStrikingMs) });
    await exit?.catch(() => (strikesAt = Infinity));
  }

  /** This process was suspended and hasn't renewed its lease, so another process may own what it would start. */
  const isOver = () => (deadline.secondsLeft() ?? 0) < 0;

  deadline.onChange(() => tell('extend'));

  return {
    newMark() {
      trees += 1;
      return `${mark}.${trees}`;
    },
    ready,
    watch(group) {
      groups.add(group);
      clearTimeout(idle);
      tell('watch', group);
    },
    forget(group) {
      if (!groups.delete(group)) return;
      tell('forget', group);
      if (groups.size > 0) return;
      clearTimeout(idle);
      idle = setTimeout(() => {
        tell('quit');
        running?.stdin?.end();
        running = undefined;
        starting = undefined;
        restarts = 0;
      }, idleMs).unref();
    },
    get pid() {
      return running?.pid;
    },
  };
}

/** A keeper needs about two seconds to end what ignores SIGTERM, and longer on a busy machine. */
const mostStrikingMs = 10_000;

const leaseIsOver = 'The lease of this process ran out while it was stopped; nothing starts before it is renewed.';

/** Finds a shell whose `read` supports a timeout. Not every `sh` does. */
function findShell(): string {
  return ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file)) ?? '/bin/sh';
}

/** The keeper of this process. */
export const keeper: Keeper = createKeeper();
