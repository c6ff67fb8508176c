/**
 * A server's sessions as hosted sessions: their events move them through the five states, their agents start and
 * end here, and terminating one removes everything it owns.
 *
 * 1. The record of a termination is durable before it begins and until nothing is left: the next host on the same
 *    store finishes it. Repeating a step changes nothing. Processes need no record: they carry session and epoch,
 *    and die with their owner.
 * 2. A model-driven session is spawned on creation and active until it ends, hibernated or not. So is such a
 *    session that this host doesn't know.
 * 3. A failed spawn leaves the session `created`. Its journal has the reason, as the end of the turn.
 * 4. An agent that starts while its session ends is ended at once.
 */
import type { AgentRef } from '../kernel/agent.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { State } from '../kernel/state.ts';
import { createCleaner, type CleanerParts } from './cleaner.ts';
import { createHostedAgents } from './host-agent.ts';
import type { HostedSession, HostedStore } from './hosted-session.ts';
import { createHostedSessions, type HostedSessionsParts } from './hosted-sessions.ts';

export interface SessionHost {
  /** Receives every committed event of every live session. */
  saw(session: SessionId, recorded: Recorded, state: State): void;
  /** Starts a session's agent process; `ended` if the session ended in between and nothing is left. */
  bringUp(
    session: SessionId,
    agent: string,
    spawn: (signal: AbortSignal) => Promise<EndingAgent>,
  ): Promise<'up' | 'failed' | 'ended'>;
  /** The agent ended by itself or was idle; the session continues without it. */
  agentGone(session: SessionId): void;
  /** Returns the answer of closing and cleans up in the background. If closing was refused, nothing is cleaned. */
  stop<Answer>(
    session: { readonly id: SessionId; readonly agent: string },
    ending: { readonly reason: string; close(): Promise<Answer>; isClosed(answer: Answer): boolean },
  ): Promise<Answer>;
  /** Undefined for sessions without an event since the start. */
  get(session: SessionId): HostedSession | undefined;
  /** Finishes the terminations of dead hosts. */
  finishLeftovers(): Promise<readonly SessionId[]>;
  /** Resolves when no clean-up is in progress. */
  settled(): Promise<void>;
}

interface EndingAgent {
  end(): Promise<void>;
}

/** The clean-up steps of a session. Each may run twice. */
export interface HostSteps {
  /** Resolves once the refusal of further inputs is durable. */
  stopIntake(session: SessionId, reason: string): Promise<void>;
  /** Asks all processes of the session to end, and kills the rest after the grace period. */
  endProcesses(session: SessionId, graceMs: number): Promise<void>;
  leaveWorktree(session: SessionId): Promise<void>;
  /** Frees its memory once its journal says that it is closed. */
  release(session: SessionId): Promise<void>;
}

interface SessionHostParts extends Pick<HostedSessionsParts<RunningAgent>, 'ids' | 'logger'> {
  readonly store: HostedStore;
  readonly clock: CleanerParts<RunningAgent>['clock'];
  readonly steps: HostSteps;
}

interface RunningAgent extends EndingAgent {
  kill(): Promise<void>;
}

const mostKnown = 10_000;
const agentGraceMs = 5000;
const nothing: RunningAgent = { end: () => Promise.resolve(), kill: () => Promise.resolve() };

export async function createSessionHost(parts: SessionHostParts): Promise<SessionHost> {
  const { steps, clock, logger } = parts;
  const onProblem = (message: string, fields: Readonly<Record<string, unknown>>) =>
    logger.log('error', message, fields);
  const hosted = await createHostedSessions<RunningAgent>({
    ...parts,
    store: onlyEndings(parts.store),
    cleaner: createCleaner<RunningAgent>({
      clock,
      onProblem,
      agentTimeoutMs: agentGraceMs,
      steps: {
        stopIntake: ({ id, reason = 'ended' }) => steps.stopIntake(id, reason),
        agentsOf: ({ id }, agent) => [withEverythingElse(id, agent)],
        endAgent: (agent) => agent.end(),
        killAgent: (agent) => agent.kill(),
        // Pipes end with the processes, and clients may continue reading.
        closePipes: () => undefined,
        closeSockets: () => undefined,
        releaseWorktree: ({ id }) => steps.leaveWorktree(id),
        closeStore: ({ id }) => steps.release(id),
      },
    }),
  });
  const leftovers = hosted.list();
  const agents = createHostedAgents<RunningAgent>(hosted, { spawn: async () => nothing, end: (one) => one.end() });
  const underWay = new Map<SessionId, Promise<void>>();

  /** The agent, then everything that it or a tool left running. */
  function withEverythingElse(session: SessionId, agent: RunningAgent = nothing): RunningAgent {
    return {
      async end() {
        await agent.end();
        await steps.endProcesses(session, agentGraceMs);
      },
      kill: () => steps.endProcesses(session, 0),
    };
  }

  async function meet(id: SessionId, agent: Pick<AgentRef, 'name' | 'runs'>, parent?: SessionId): Promise<void> {
    if (hosted.get(id) !== undefined) return;
    const family = parent === undefined ? {} : { parent };
    const met = await hosted.create({ id, agent: agent.name, role: id, runs: agent.runs, ...family });
    if (met.type !== 'done' || agent.runs === 'external') return;
    await agents.bringUp(id);
    hosted.detachAgent(id);
    if (hosted.count() > mostKnown) await forgetQuiet();
  }

  /** The longest-quiet sessions are active whether they are known or not. */
  async function forgetQuiet(): Promise<void> {
    const quiet = hosted
      .list({ state: 'active' })
      .filter(({ runs }) => runs === 'model')
      .toSorted((a, b) => a.lastActiveAt - b.lastActiveAt);
    for (const { id } of quiet.slice(0, mostKnown / 10)) await hosted.forget(id);
  }

  function takeDown(session: SessionId, reason: string): Promise<void> {
    const task = underWay.get(session);
    if (task !== undefined) return task;
    const work = agents
      .terminate(session, reason)
      .then(
        () => undefined,
        (error: unknown) => onProblem(`ending session ${session} failed`, { session, error: String(error) }),
      )
      .finally(() => underWay.delete(session));
    underWay.set(session, work);
    return work;
  }

  function logged(doing: string, session: SessionId, work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      onProblem(`${doing} session ${session} failed`, { session, error: String(error) }),
    );
  }

  return {
    saw(session, { event }, state) {
      const row = hosted.get(session);
      if (event.type === 'session-closed') {
        // `stop` cleans up after its own close; any other close is cleaned up here.
        if (row?.state === 'terminating' || row?.state === 'cleaned' || row === undefined) return;
        void takeDown(session, event.reason ?? 'closed');
        return;
      }
      if (row === undefined) return logged('hosting', session, meet(session, state.agent, state.parent));
      const isMessage =
        event.type === 'prompt-received' || (event.type === 'agent-reported' && event.report.type === 'message');
      logged(
        'noting life of',
        session,
        isMessage ? hosted.incrementMessageCount(session) : hosted.recordHeartbeat(session),
      );
    },
    async bringUp(session, agent, spawn) {
      // A session may change from a model to a process, which leaves something to clean.
      if (hosted.get(session)?.runs === 'model') await hosted.forget(session);
      await meet(session, { name: agent, runs: 'external' });
      const answer = await agents.bringUp(session, {
        async spawn(_session, signal) {
          const up = await spawn(signal);
          return { end: () => up.end(), kill: () => steps.endProcesses(session, 0) };
        },
        end: (one) => one.end(),
      });
      if (answer.type === 'done') return 'up';
      if (answer.type !== 'spawn-failed') return 'ended';
      // Nothing started, so the session returns to its previous state, and its next prompt tries again.
      const row = hosted.get(session);
      if (row?.state === 'spawning') {
        await hosted.forget(session);
        await meet(session, { name: agent, runs: 'external' }, row.parent);
      }
      return 'failed';
    },
    agentGone: (session) => hosted.detachAgent(session),
    async stop({ id, agent }, { reason, close, isClosed }) {
      await meet(id, { name: agent, runs: 'external' });
      await hosted.markTerminating(id, reason);
      const answer = await close();
      if (isClosed(answer)) void takeDown(id, reason);
      else await hosted.forget(id);
      return answer;
    },
    get: (session) => hosted.get(session),
    async finishLeftovers() {
      await Promise.all(leftovers.map(({ id, reason = 'its server ended' }) => takeDown(id, reason)));
      return leftovers.map(({ id }) => id);
    },
    async settled() {
      await Promise.all(underWay.values());
    },
  };
}

/** The next host only needs to finish terminations. */
function onlyEndings(store: HostedStore): HostedStore {
  return {
    load: async () => (await store.load()).filter(({ state }) => state === 'terminating'),
    async save(session) {
      if (session.state === 'terminating') await store.save(session);
      else if (session.state === 'cleaned') await store.remove(session.id);
    },
    remove: (session) => store.remove(session),
  };
}
