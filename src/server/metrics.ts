/** Prometheus metrics as text. Counted as events happen, without message content. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { LifecycleState } from '../host/lifecycle.ts';
import type { RegisteredNode } from '../ports/nodes.ts';
import type { DirectoryState } from '../views/directory.ts';
import type { Recorded } from '../kernel/event.ts';
import { family, heading, type Labels } from './metric-text.ts';

export interface FollowerCounts {
  followers: number;
  /** How often a slow reader got a gap and a snapshot. */
  gaps: number;
}

export interface SessionCounts {
  /** Sessions by activity. */
  readonly byState: Map<DirectoryState, number>;
  /** Sessions by lifecycle state. */
  readonly byHosting: Map<LifecycleState, number>;
}

/** The nodes of the store, and what waits for an owner. */
export interface FleetCounts {
  readonly nodes: readonly Pick<RegisteredNode, 'name' | 'isAlive' | 'isDraining' | 'sessions'>[];
  readonly letters: number;
}

export interface Metrics extends FollowerCounts {
  connections: number;
  refused: number;
  rateLimited: number;
  saw(recorded: Recorded): void;
  /** Records the end of an effect: model call, tool run and so on. */
  record(entry: {
    readonly kind: string;
    readonly startedAt: number;
    readonly endedAt: number;
    readonly outcome: string;
  }): void;
  appended(ms: number): void;
  answered(status: number): void;
  text(sessions: SessionCounts, fleet?: FleetCounts): string;
  close(): void;
}

const bounds = [1, 2, 5, 10, 25, 50, 100, 250, 1000] as const;

export function createMetrics(): Metrics {
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const effects = new Map<string, { readonly labels: Labels; count: number; ms: number }>();
  const answers = new Map<number, number>();
  const buckets = bounds.map(() => 0);
  let appends = 0;
  let appendMs = 0;
  const turns = new Map<string, number>();
  const used = { inputTokens: 0, outputTokens: 0, cost: 0, questions: 0, takeOvers: 0 };

  return {
    followers: 0,
    gaps: 0,
    connections: 0,
    refused: 0,
    rateLimited: 0,
    saw({ event }) {
      if (event.type === 'turn-ended') turns.set(event.ending.type, (turns.get(event.ending.type) ?? 0) + 1);
      else if (event.type === 'question-opened') used.questions += 1;
      else if (event.type === 'session-recovered') used.takeOvers += 1;
      else if (event.type === 'model-settled') {
        used.inputTokens += event.outcome.usage?.inputTokens ?? 0;
        used.outputTokens += event.outcome.usage?.outputTokens ?? 0;
        used.cost += event.outcome.usage?.cost ?? 0;
      }
    },
    record({ kind, startedAt, endedAt, outcome }) {
      const key = `${kind} ${outcome}`;
      const entry = effects.get(key) ?? { labels: { kind, outcome }, count: 0, ms: 0 };
      effects.set(key, entry);
      entry.count += 1;
      entry.ms += Math.max(0, endedAt - startedAt);
    },
    appended(ms) {
      appends += 1;
      appendMs += ms;
      for (const [index, bound] of bounds.entries()) if (ms <= bound) buckets[index] = (buckets[index] ?? 0) + 1;
    },
    answered: (status) => answers.set(status, (answers.get(status) ?? 0) + 1),
    text(sessions, fleet) {
      const memory = process.memoryUsage();
      const lines = [
        ...family(
          'rondo_sessions',
          'Sessions by activity.',
          'gauge',
          [...sessions.byState].map(([state, count]) => [{ state }, count]),
        ),
        ...family(
          'rondo_hosted_sessions',
          'Hosted sessions by lifecycle state.',
          'gauge',
          [...sessions.byHosting].map(([state, count]) => [{ state }, count]),
        ),
        ...family(
          'rondo_turns_total',
          'Ended turns by outcome.',
          'counter',
          [...turns].map(([ending, count]) => [{ ending }, count]),
        ),
        ...family('rondo_questions_opened_total', 'Questions put to people.', 'counter', [[{}, used.questions]]),
        ...family('rondo_tokens_total', 'Tokens of model calls by direction.', 'counter', [
          [{ direction: 'input' }, used.inputTokens],
          [{ direction: 'output' }, used.outputTokens],
        ]),
        ...family('rondo_cost_dollars_total', 'Known cost of model calls in US dollars.', 'counter', [
          [{}, used.cost],
        ]),
        ...family(
          'rondo_effects_total',
          'Settled effects by kind and outcome.',
          'counter',
          [...effects.values()].map(({ labels, count }) => [labels, count]),
        ),
        ...family(
          'rondo_effect_seconds_total',
          'Time of settled effects by kind and outcome.',
          'counter',
          [...effects.values()].map(({ labels, ms }) => [labels, ms / 1000]),
        ),
        ...heading('rondo_append_seconds', 'Time until an input is durable.', 'histogram'),
        ...bounds.map(
          (bound, index) => `rondo_append_seconds_bucket{le="${bound / 1000}"} ${buckets[index] ?? 0}`,
        ),
        `rondo_append_seconds_bucket{le="+Inf"} ${appends}`,
        `rondo_append_seconds_sum ${appendMs / 1000}`,
        `rondo_append_seconds_count ${appends}`,
        ...family('rondo_take_overs_total', 'Sessions taken over from an owner that was gone.', 'counter', [
          [{}, used.takeOvers],
        ]),
        ...(fleet === undefined ? [] : fleetLines(fleet)),
        ...family('rondo_connections', 'Open WebSocket connections.', 'gauge', [[{}, this.connections]]),
        ...family('rondo_followers', 'Clients that follow a session.', 'gauge', [[{}, this.followers]]),
        ...family(
          'rondo_follower_gaps_total',
          'Times a slow follower got a snapshot instead of events.',
          'counter',
          [[{}, this.gaps]],
        ),
        ...family('rondo_refused_total', 'Refused requests by reason.', 'counter', [
          [{ why: 'rights' }, this.refused],
          [{ why: 'rate' }, this.rateLimited],
        ]),
        ...family(
          'rondo_http_answers_total',
          'HTTP responses by status.',
          'counter',
          [...answers].map(([status, count]) => [{ status: String(status) }, count]),
        ),
        ...family('rondo_event_loop_lag_seconds', 'Event loop delay since the last scrape.', 'summary', [
          [{ quantile: '0.5' }, lag.percentile(50) / 1e9],
          [{ quantile: '0.99' }, lag.percentile(99) / 1e9],
        ]),
        ...family('process_resident_memory_bytes', 'Resident memory of the process.', 'gauge', [[{}, memory.rss]]),
        ...family('nodejs_heap_used_bytes', 'Used JavaScript heap.', 'gauge', [[{}, memory.heapUsed]]),
      ];
      lag.reset();
      return `${lines.join('\n')}\n`;
    },
    close: () => void lag.disable(),
  };
}

function fleetLines({ nodes, letters }: FleetCounts): readonly string[] {
  const count = (state: string) => nodes.filter((node) => nodeState(node) === state).length;
  return [
    ...family(
      'rondo_nodes',
      'Servers on the store by state.',
      'gauge',
      ['ready', 'draining', 'gone'].map((state) => [{ state }, count(state)]),
    ),
    ...family(
      'rondo_node_sessions',
      'Sessions that each node owns.',
      'gauge',
      nodes.map(({ name, sessions }) => [{ node: name }, sessions]),
    ),
    ...family('rondo_letters_waiting', 'Sessions with inputs that no owner has taken yet.', 'gauge', [
      [{}, letters],
    ]),
  ];
}

function nodeState({ isAlive, isDraining }: FleetCounts['nodes'][number]): string {
  if (!isAlive) return 'gone';
  return isDraining ? 'draining' : 'ready';
}
