/**
 * External agents of this process, at most one per session.
 *
 * 1. An agent starts with its session's first turn and is kept for later turns. A resumable agent ends after an
 *    idle timeout. Any other is kept until its session is released.
 * 2. After release or disposal, nothing of an agent remains.
 */
import { Fault } from '../../kernel/fault.ts';
import { sessionOfEffect, type SessionId } from '../../kernel/ids.ts';
import type { AgentOutcome } from '../../kernel/input.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import type { AgentTurn, ExternalAgents } from '../../runtime/capabilities.ts';
import { defaultAcpSettings, type AcpSettings, type AgentSpec } from './agent-spec.ts';
import { hostAgent, type HostedAgent, type HostParts } from './hosted-agent.ts';

export interface AcpAgents extends Required<ExternalAgents>, AsyncDisposable {
  /** Ends the agent of a session that is closed or gone. */
  release(session: SessionId): Promise<void>;
}

/** Ties an agent's start and end to its session's lifecycle. */
export interface AgentLife {
  /** `ended`: the session ended during the start, so the agent was stopped again. `failed`: the agent didn't start. */
  bringUp(
    session: SessionId,
    agent: string,
    spawn: (signal: AbortSignal) => Promise<{ end(): Promise<void> }>,
  ): Promise<'up' | 'failed' | 'ended'>;
  agentGone(session: SessionId): void;
}

export interface AcpAgentsParts extends Omit<HostParts, 'settings'> {
  /** Finds how to start a session's agent. A string explains to people why it can't start. */
  readonly find: (agent: string, state: State) => Promise<AgentSpec | string>;
  readonly settings?: Partial<AcpSettings>;
  readonly life?: AgentLife;
}

interface Slot {
  agent: HostedAgent | undefined;
  disarmIdle: (() => void) | undefined;
  /** Answers questions of an agent that is starting. */
  answer?: HostedAgent['answer'];
  /** Settles once the agent has started or failed to start. */
  starting?: Promise<unknown>;
}

export function createAcpAgents(parts: AcpAgentsParts): AcpAgents {
  const settings = { ...defaultAcpSettings, ...parts.settings };
  const { clock } = parts;
  const bringUp: AgentLife['bringUp'] = parts.life?.bringUp ?? bringUpAlone;
  const slots = new Map<SessionId, Slot>();
  const turns = new Set<Promise<AgentOutcome>>();
  // Ending agents by session: two agents of one session never work at the same time.
  const leaving = new Map<SessionId, Promise<void>>();

  async function prompt(turn: AgentTurn): Promise<AgentOutcome> {
    const { session, state } = turn.host;
    await leaving.get(session);
    const { name } = turnOf(state)?.agent ?? state.agent;
    const slot = slots.get(session) ?? { agent: undefined, disarmIdle: undefined };
    if (!slots.has(session) && slots.size >= settings.agents) {
      const message = `Starting agent ${name}: ${settings.agents} agents run here already; close a session of one.`;
      return { type: 'failed', code: 'agent-unavailable', message };
    }
    slots.set(session, slot);
    slot.disarmIdle?.();
    slot.disarmIdle = undefined;
    if (slot.agent !== undefined && (!slot.agent.isAlive || slot.agent.name !== name)) {
      await slot.agent.end();
      slot.agent = undefined;
      parts.life?.agentGone(session);
    }
    if (slot.agent === undefined) {
      const starting = start(name, turn, slot);
      slot.starting = starting;
      const failed = await starting;
      if (failed !== undefined) {
        slots.delete(session);
        return turn.context.signal.aborted ? { type: 'cancelled' } : failed;
      }
    }
    const { agent } = slot;
    if (agent === undefined) return { type: 'cancelled' };
    const outcome = await agent.run(turn);
    if (agent.isAlive) rest(session, slot, agent);
    else await release(session);
    return outcome;
  }

  async function start(name: string, turn: AgentTurn, slot: Slot): Promise<AgentOutcome | undefined> {
    const spec = await parts.find(name, turn.host.state);
    if (typeof spec === 'string') return { type: 'failed', code: 'agent-unavailable', message: spec };
    let failed: AgentOutcome = { type: 'cancelled' };
    const up = await bringUp(turn.host.session, name, async (ending) => {
      const signal = AbortSignal.any([turn.context.signal, ending]);
      const hosted = await hostAgent(
        spec,
        { ...turn, context: { ...turn.context, signal } },
        { ...parts, settings, opening: (answer) => (slot.answer = answer) },
      );
      if (hosted.type === 'failed') {
        failed = ending.aborted ? failed : hosted.outcome;
        throw new Fault('process', hosted.outcome.message);
      }
      slot.agent = hosted.agent;
      return hosted.agent;
    });
    if (up !== 'up') slot.agent = undefined;
    return up === 'up' ? undefined : failed;
  }

  function rest(session: SessionId, slot: Slot, agent: HostedAgent): void {
    if (!agent.canReturn) return;
    slot.disarmIdle = clock.at(clock.now() + settings.idleMs, () => void release(session));
  }

  async function release(session: SessionId): Promise<void> {
    const slot = slots.get(session);
    slots.delete(session);
    slot?.disarmIdle?.();
    if (slot?.agent === undefined) return leaving.get(session);
    const left = slot.agent.end().finally(() => {
      leaving.delete(session);
      parts.life?.agentGone(session);
    });
    leaving.set(session, left);
    await left;
  }

  return {
    prompt(turn) {
      const running = prompt(turn).finally(() => turns.delete(running));
      turns.add(running);
      return running;
    },
    answer({ effect, key, answer }) {
      const slot = slots.get(sessionOfEffect(effect));
      (slot?.agent?.answer ?? slot?.answer)?.(key, answer);
    },
    async set(session, setting) {
      const slot = slots.get(session);
      await slot?.starting;
      return slot?.agent?.isAlive === true ? await slot.agent.set(setting) : undefined;
    },
    release,
    keeps: (session) => slots.has(session),
    async [Symbol.asyncDispose]() {
      await Promise.all([...slots.keys()].map(release));
      // An agent that is still starting ends with the turn that needed it.
      await Promise.allSettled(turns);
      await Promise.all([...slots.keys()].map(release));
    },
  };
}

/** The default without a lifecycle owner. */
const bringUpAlone: AgentLife['bringUp'] = async (_session, _agent, spawn) => {
  try {
    await spawn(new AbortController().signal);
    return 'up';
  } catch (error) {
    if (error instanceof Fault) return 'failed';
    throw error;
  }
};
