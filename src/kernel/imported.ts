/**
 * A session from a bundle. An attacker may have written its history, so nothing in it acts.
 *
 * 1. The import settles effects in flight as interrupted, ends the turn and empties the queue.
 * 2. It drops rules, grants, folder, repository, agent, model, mode, limits and the agent's own session.
 * 3. Until a person continues it with their own choices, the session accepts nothing else but its end.
 * 4. It can't be rewound to before the import: the earlier conversation is only a quotation.
 */
import type { Refusal } from './refusal.ts';
import type { SessionId } from './ids.ts';
import type { ContinuedSetup, ImportedFrom, Input } from './input.ts';
import { defaultLimits, limitsFrom } from './limits.ts';
import { modes } from './mode.ts';
import { optional } from './optional.ts';
import type { State } from './state.ts';

/** Why a foreign session refuses this input, or undefined. */
export function foreignProblem({ id, imported }: State, input: Input): Refusal | undefined {
  if (imported?.isForeign !== true || takenWhileForeign.has(input.type)) return undefined;
  return { code: 'conflict', message: foreignMessage(id) };
}

function foreignMessage(session: SessionId): string {
  return `session ${session} was imported and isn't continued yet; choose its folder and agent: rondo run --session ${session}`;
}

const takenWhileForeign: ReadonlySet<Input['type']> = new Set([
  'session-imported',
  'session-continued',
  'session-recovered',
  'closed',
  'interrupted',
  'time-reached',
]);

export function evolveImported(state: State, { parent }: ImportedFrom, seq: number): State {
  const {
    agentSession: _agentSession,
    agentSettings: _agentSettings,
    parent: _parent,
    childSpending: _childSpending,
    neared: _neared,
    machine: _machine,
    place: _place,
    saved: _saved,
    pushed: _pushed,
    ...kept
  } = state;
  return {
    ...kept,
    ...optional({ parent }),
    agent: { name: '', runs: 'model' },
    mode: modes.interactive,
    cwd: '',
    limits: defaultLimits,
    rules: [],
    grants: [],
    queue: { paused: false, prompts: [] },
    questions: [],
    waits: [],
    workers: [],
    recoveries: 0,
    imported: { seq, isForeign: true },
    phase: { type: 'idle' },
  };
}

export function evolveContinued(state: State, { agent, mode, cwd, limits, rules = [] }: ContinuedSetup): State {
  const { imported } = state;
  if (imported === undefined) return state;
  const continued = { ...imported, isForeign: false };
  return { ...state, agent, mode, cwd, limits: limitsFrom(limits), rules, imported: continued };
}

/** Nobody can fork from or rewind to a point before the import: its rules and files are the bundle's. */
export function importProblem({ id, imported }: Pick<State, 'id' | 'imported'>, to: number): Refusal | undefined {
  if (imported?.isForeign === true) return { code: 'conflict', message: foreignMessage(id) };
  if (imported === undefined || to >= imported.seq) return undefined;
  return {
    code: 'invalid',
    message: `session ${id} was imported at event ${imported.seq}; it can't go back to event ${to} before that`,
  };
}
