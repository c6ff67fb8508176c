/** Runs the routing program for one turn. */
import { evaluateWith, tuplesOf, type FactDatabase, type Program } from '../datalog/evaluate.ts';
import { explainFact, type Proof } from '../datalog/explain.ts';
import { nameValue, plainText, type Fact } from '../datalog/program.ts';
import type { Intent } from '../words/intent.ts';

export type OperationalMode = 'active' | 'dream';

export interface Routing {
  readonly persona: string;
  /** The personas that the steps need, the leading one first. */
  readonly serves: readonly string[];
  readonly offers: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  /** All conclusions, for explanations. */
  readonly database: FactDatabase;
}

export function routeIntent(program: Program, intent: Intent, mode: OperationalMode): Routing {
  const database = evaluateWith(program, turnFacts(intent, mode));
  const names = (predicate: string): readonly string[] =>
    tuplesOf(database, predicate).map(([value]) => plainText(value ?? ''));
  const [persona = 'general'] = names('persona_of');
  return {
    persona,
    serves: names('serves'),
    offers: names('offers'),
    deny: names('deny'),
    ask: names('ask'),
    database,
  };
}

/** Explains why the turn has this persona, and why a tool is offered, denied or needs approval. */
export function explainRoute(
  route: Routing,
  about: 'persona_of' | 'serves' | 'offers' | 'deny' | 'ask',
  name: string,
): Proof | undefined {
  return explainFact(route.database, { predicate: about, values: [nameValue(name)] });
}

function turnFacts(intent: Intent, mode: OperationalMode): readonly Fact[] {
  const asked = [...new Set([intent.verb, ...intent.steps.map(({ verb }) => verb)])];
  return [
    { predicate: 'lead', values: [nameValue(intent.verb)] },
    ...asked.map((verb): Fact => ({ predicate: 'asked', values: [nameValue(verb)] })),
    { predicate: 'said', values: [nameValue(intent.category)] },
    { predicate: 'mode', values: [nameValue(mode)] },
    ...(intent.readOnly ? [{ predicate: 'read_only', values: [] }] : []),
    ...(intent.confirm === undefined ? [] : [{ predicate: 'confirm', values: [nameValue(intent.confirm)] }]),
  ];
}
