/**
 * Takes a hosted session down in order: stop intake, end its agents in parallel, kill what doesn't end in time with
 * all its processes, then close pipes, sockets and the worktree lease (never its content), and last the store.
 *
 * 1. A failed step is logged, and the next one still runs. The answer reports that work is left.
 * 2. Cleaning a clean session changes nothing.
 */
import type { HostedSession } from './hosted-session.ts';

/** Takes a hosted session down, step by step. */
export interface Cleaner<Agent> {
  clean(session: HostedSession, agent: Agent | undefined): Promise<'clean' | 'incomplete'>;
}

interface CleanerSteps<Agent> {
  stopIntake(session: HostedSession): Promise<void> | void;
  /** Everything that runs for the session. */
  agentsOf(session: HostedSession, agent: Agent | undefined): readonly Agent[];
  /** Asks it to end and resolves when it has. */
  endAgent(agent: Agent): Promise<void>;
  /** Kills its whole process tree. */
  killAgent(agent: Agent): Promise<void>;
  closePipes(session: HostedSession): Promise<void> | void;
  closeSockets(session: HostedSession): Promise<void> | void;
  releaseWorktree(session: HostedSession): Promise<void> | void;
  closeStore(session: HostedSession): Promise<void> | void;
}

export interface CleanerParts<Agent> {
  readonly steps: CleanerSteps<Agent>;
  readonly clock: { now(): number; at(time: number, call: () => void): () => void };
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly agentTimeoutMs?: number;
}

/** A cleaner made of a host's steps. */
export function createCleaner<Agent>(parts: CleanerParts<Agent>): Cleaner<Agent> {
  const { steps, clock, onProblem, agentTimeoutMs = 5000 } = parts;

  async function attempt(
    doing: string,
    { id }: HostedSession,
    step: () => Promise<void> | void,
  ): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      onProblem(`${doing} of session ${id} failed`, { session: id, error: String(error) });
      return false;
    }
  }

  /** True if it ended in time. */
  async function ends(agent: Agent): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const disarm = clock.at(clock.now() + agentTimeoutMs, () => late.resolve(false));
    const ended = steps.endAgent(agent).then(
      () => true,
      () => false,
    );
    const isEnded = await Promise.race([ended, late.promise]);
    disarm();
    return isEnded;
  }

  return {
    async clean(session, agent) {
      const done = [await attempt('stopping the intake', session, () => steps.stopIntake(session))];
      const ended = steps.agentsOf(session, agent).map((one) =>
        attempt('ending an agent', session, async () => {
          if (!(await ends(one))) await steps.killAgent(one);
        }),
      );
      done.push(...(await Promise.all(ended)));
      done.push(await attempt('closing the pipes', session, () => steps.closePipes(session)));
      done.push(await attempt('closing the sockets', session, () => steps.closeSockets(session)));
      done.push(await attempt('releasing the worktree', session, () => steps.releaseWorktree(session)));
      done.push(await attempt('closing the store', session, () => steps.closeStore(session)));
      return done.every(Boolean) ? 'clean' : 'incomplete';
    },
  };
}
