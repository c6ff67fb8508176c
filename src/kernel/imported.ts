/**
 * A session that came from a bundle. Its history was written elsewhere, perhaps by an attacker, so none of it acts:
 *
 * 1. Importing settles what was in flight as interrupted, ends the turn and empties the queue.
 * 2. Rules, grants, folder, agent, model, mode, limits and the agent's own session are dropped.
 * 3. Until a person continues it with their own choices, it takes no input but that and its end.
 * 4. Nothing goes back behind the import: the conversation before it exists as a quotation only.
 */
import type { Refusal } from './refusal.ts';
import type { SessionId } from './ids.ts';
import type { ContinuedSetup, ImportedFrom, Input } from './input.ts';
import { defaultLimits, limitsFrom } from './limits.ts';
import { modes } from './mode.ts';
import type { State } from './state.ts';

/** Why a session that nobody continued yet takes nothing; undefined where it takes this. */
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
  const { agentSession: _, agentSettings: __, parent: ___, childSpending: ____, neared: _____, ...kept } = state;
  return {
    ...kept,
    ...(parent !== undefined && { parent }),
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

/** Points before the import can't be forked from or gone back to: rules and files there are the bundle's. */
export function importProblem({ id, imported }: Pick<State, 'id' | 'imported'>, to: number): Refusal | undefined {
  if (imported?.isForeign === true) return { code: 'conflict', message: foreignMessage(id) };
  if (imported === undefined || to >= imported.seq) return undefined;
  return {
    code: 'invalid',
    message: `session ${id} was imported at event ${imported.seq}; it can't go back to event ${to} before that`,
  };
}
