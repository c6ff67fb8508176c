/**
 * Open requests of an agent in one turn. Requests with the same content for the same call are merged. Those for
 * another call wait until the first is answered and are then asked separately: a one-time approval counts once.
 *
 * A request that the agent cancels is withdrawn. If the agent dies, its request stays open: a restarted agent may
 * ask the same.
 */
import type { AgentAnswer, AgentRequest } from '../../kernel/agent-request.ts';
import type { AgentTurn } from '../../runtime/capabilities.ts';
import { peerGone } from './json-rpc.ts';

export interface Asking {
  /** Resolves with the answer, or with `cancelled` if the agent cancels the request or the turn ends. */
  ask(request: AgentRequest, signal: AbortSignal): Promise<AgentAnswer>;
  answer(key: string, answer: AgentAnswer): void;
  close(): void;
}

interface Group {
  readonly of: string;
  readonly request: AgentRequest;
  readonly waiting: Set<(answer: AgentAnswer) => void>;
}

const cancelled: AgentAnswer = { type: 'cancelled' };

export function createAsking(turn: Pick<AgentTurn, 'ask' | 'withdraw'>): Asking {
  const groups = new Map<string, Group[]>();
  let isClosed = false;

  function groupFor(request: AgentRequest): Group {
    const same = groups.get(request.key) ?? [];
    const of = request.type === 'permission' ? request.call.id : request.key;
    const existing = same.find((group) => group.of === of);
    if (existing !== undefined) return existing;
    const group: Group = { of, request, waiting: new Set() };
    groups.set(request.key, [...same, group]);
    if (same.length === 0) turn.ask(request);
    return group;
  }

  function next(key: string): void {
    const [, ...rest] = groups.get(key) ?? [];
    groups.delete(key);
    if (rest.length === 0) return;
    groups.set(key, rest);
    if (rest[0] !== undefined) turn.ask(rest[0].request);
  }

  function leave(group: Group, resolve: (answer: AgentAnswer) => void): void {
    group.waiting.delete(resolve);
    resolve(cancelled);
    const { key } = group.request;
    const same = groups.get(key) ?? [];
    if (group.waiting.size > 0 || !same.includes(group)) return;
    if (same[0] !== group) {
      groups.set(
        key,
        same.filter((other) => other !== group),
      );
      return;
    }
    turn.withdraw(key);
    next(key);
  }

  return {
    ask(request, signal) {
      if (isClosed || signal.aborted) return Promise.resolve(cancelled);
      const group = groupFor(request);
      return new Promise((resolve) => {
        group.waiting.add(resolve);
        const stop = () => (signal.reason === peerGone ? resolve(cancelled) : leave(group, resolve));
        signal.addEventListener('abort', stop, { once: true });
      });
    },
    answer(key, answer) {
      const group = groups.get(key)?.[0];
      if (group === undefined) return;
      for (const resolve of group.waiting) resolve(answer);
      group.waiting.clear();
      next(key);
    },
    close() {
      isClosed = true;
      for (const group of [...groups.values()].flat()) for (const resolve of group.waiting) resolve(cancelled);
      groups.clear();
    },
  };
}
