/**
 * External agents of this process, at most one a session.
 *
 * 1. An agent is started with its session's first turn and kept for the next ones; one that can be taken up
 *    again is let go when it has been idle for a while, one that cannot is kept until its session is released.
 * 2. Nothing of an agent is left once it is released or this is disposed of.
 */
import { Fault } from '../../kernel/fault.ts';
import { sessionOfEffect, type SessionId } from '../../kernel/ids.ts';
import type { AgentOutcome } from '../../kernel/input.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import type { AgentTurn, ExternalAgents } from '../../runtime/capabilities.ts';
import { defaultAcpSettings, type AcpSettings, type AgentSpec } from './agent-spec.ts';
import { hostAgent, type HostedAgent, type HostParts } from './hosted-agent.ts';

export interface AcpAgents extends Required<ExternalAgents>, AsyncDisposable {
  /** The session is closed or gone: its agent ends. */
  release(session: SessionId): Promise<void>;
}

/** Where an agent's coming and going belongs to the life of its session. */
export interface AgentLife {
  /** `ended` where the session was ended meanwhile: what came up is down again. `failed` where nothing came up. */
  bringUp(
    session: SessionId,
    agent: string,
    spawn: (signal: AbortSignal) => Promise<{ end(): Promise<void> }>,
  ): Promise<'up' | 'failed' | 'ended'>;
  agentGone(session: SessionId): void;
}

export interface AcpAgentsParts extends Omit<HostParts, 'settings'> {
  /** How the agent of a session is started; a string says why it cannot be, in words for people. */
  readonly find: (agent: string, state: State) => Promise<AgentSpec | string>;
  readonly settings?: Partial<AcpSettings>;
  readonly life?: AgentLife;
}

interface Slot {
  agent: HostedAgent | undefined;
  disarmIdle: (() => void) | undefined;
  /** Over once the agent is there, or is known not to come. */
  starting?: Promise<unknown>;
}

export function createAcpAgents(parts: AcpAgentsParts): AcpAgents {
  const settings = { ...defaultAcpSettings, ...parts.settings };
  const { clock } = parts;
  const bringUp: AgentLife['bringUp'] = parts.life?.bringUp ?? bringUpAlone;
  const slots = new Map<SessionId, Slot>();
  const turns = new Set<Promise<AgentOutcome>>();
  // Two agents of one session never work at the same time.
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
        { ...parts, settings },
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
      slots.get(sessionOfEffect(effect))?.agent?.answer(key, answer);
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
      // One that was just being started ends with the turn that wanted it.
      await Promise.allSettled(turns);
      await Promise.all([...slots.keys()].map(release));
    },
  };
}

/** Where nobody else has a say in it. */
const bringUpAlone: AgentLife['bringUp'] = async (_session, _agent, spawn) => {
  try {
    await spawn(new AbortController().signal);
    return 'up';
  } catch (error) {
    if (error instanceof Fault) return 'failed';
    throw error;
  }
};
