/**
 * Validates a program's input before Rondo uses it: a known type, the required fields, and no value that changes
 * when serialized and read back.
 */
import type { Refusal } from '../../kernel/decide/draft.ts';
import { jsonProblem, withoutUndefined } from '../../kernel/json-problem.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import type { ClientInput } from '../client-input.ts';

/** The validated input, or the refusal. */
export function checkInput(input: ClientInput): ClientInput | Refusal {
  const problem = problemWith(input);
  return problem === undefined ? withoutUndefined(input) : { code: 'invalid', message: problem };
}

function problemWith(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return `An input is an object with a type: ${Object.keys(needed).join(', ')}.`;
  }
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const { type } = fields;
  if (typeof type !== 'string' || !isInputType(type)) return unknownType(type);
  for (const [name, kinds] of Object.entries<readonly string[]>(needed[type])) {
    if (!kinds.includes(kindOf(fields[name]))) return `A ${type} input needs ${name}: ${kinds.join(' or ')}.`;
  }
  const unfit = jsonProblem(input);
  return unfit === undefined ? undefined : `This ${type} input can't be recorded: ${unfit}.`;
}

function unknownType(type: unknown): string {
  const types = Object.keys(needed);
  const nearest = typeof type === 'string' ? nearestName(type, types) : undefined;
  const hint = nearest === undefined ? `The types are ${types.join(', ')}.` : `Did you mean "${nearest}"?`;
  return `Unknown input type ${JSON.stringify(type) ?? 'undefined'}. ${hint}`;
}

type Kind = 'string' | 'number' | 'object' | 'list';

const text = ['string'] as const;
const object = ['object'] as const;
const list = ['list'] as const;

/** Required fields by input type. */
const needed: Readonly<Record<ClientInput['type'], Readonly<Record<string, readonly Kind[]>>>> = {
  chat: { text },
  task: { command: text },
  tasks: { calls: list },
  compact: {},
  rewind: { to: ['number'] },
  restore: { to: ['number'], checkpoint: object },
  answer: { question: text, answer: object },
  interrupt: {},
  'retry-now': {},
  queue: { change: object },
  agent: { agent: text },
  'agent-setting': { setting: object },
  title: { title: text },
  mode: { mode: ['string', 'object'] },
  policy: { rules: list },
  rules: {},
  limits: { limits: object },
  worker: { report: object },
  verdict: { verdict: object },
  continue: { agent: object, mode: object, cwd: text },
  close: {},
  custom: { name: text },
};

function isInputType(type: string): type is ClientInput['type'] {
  return Object.hasOwn(needed, type);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}
