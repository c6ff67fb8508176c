/** Validates the arguments of `delegate`. No other code parses them. */
import { fieldsOf } from '../kernel/json-object.ts';
import type { FailurePolicy } from '../ports/job-queue.ts';

export interface DelegateArguments {
  readonly workers: readonly DelegatedWork[];
  /** False: return the ids at once and report the endings later. */
  readonly wait: boolean;
  readonly whenDependencyFails: FailurePolicy;
}

export interface DelegatedWork {
  readonly name: string;
  readonly objective: string;
  readonly role?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly tools?: readonly string[];
  /** Rules for calls that need approval from the parent's agent. */
  readonly restricted?: readonly string[];
  readonly after: readonly string[];
  readonly tokens?: number;
  readonly cost?: number;
  readonly toolCalls?: number;
  readonly minutes?: number;
  /** Keeps the history for later work under the same name. */
  readonly keep: boolean;
  readonly maySpawn: boolean;
}

type DelegateProblem = {
  readonly code: 'invalid-arguments' | 'too-many' | 'duplicate-name' | 'unknown-dependency' | 'cycle';
  readonly message: string;
};

const mostWorkers = 10;

export function parseDelegate(value: unknown): DelegateArguments | DelegateProblem {
  const given = fieldsOf(value);
  const list = given['workers'];
  if (!Array.isArray(list) || list.length === 0) {
    return problem('invalid-arguments', 'delegate needs "workers": a list of {name, objective}.');
  }
  if (list.length > mostWorkers) {
    return problem('too-many', `delegate takes ${mostWorkers} workers at most, not ${list.length}.`);
  }
  const workers: DelegatedWork[] = [];
  for (const [index, one] of list.entries()) {
    const work = workOf(fieldsOf(one));
    if (work === undefined) {
      return problem('invalid-arguments', `Worker ${index + 1} needs a "name" and an "objective", both texts.`);
    }
    workers.push(work);
  }
  const policy = given['whenDependencyFails'] ?? 'skip';
  if (policy !== 'skip' && policy !== 'fail' && policy !== 'run-anyway') {
    return problem('invalid-arguments', '"whenDependencyFails" is skip, fail or run-anyway.');
  }
  const wrong = graphProblem(workers);
  return wrong ?? { workers, wait: given['wait'] !== false, whenDependencyFails: policy };
}

function workOf(given: Readonly<Record<string, unknown>>): DelegatedWork | undefined {
  const {
    name,
    objective,
    role,
    agent,
    model,
    tools,
    restricted,
    after,
    tokens,
    cost,
    toolCalls,
    minutes,
    keep,
    maySpawn,
  } = given;
  if (typeof name !== 'string' || name === '' || typeof objective !== 'string' || objective === '')
    return undefined;
  return {
    name,
    objective,
    ...(typeof role === 'string' && { role }),
    ...(typeof agent === 'string' && { agent }),
    ...(typeof model === 'string' && { model }),
    ...(Array.isArray(tools) && { tools: tools.map(String) }),
    ...(Array.isArray(restricted) && { restricted: restricted.map(String) }),
    after: Array.isArray(after) ? after.map(String) : [],
    ...(typeof tokens === 'number' && { tokens }),
    ...(typeof cost === 'number' && { cost }),
    ...(typeof toolCalls === 'number' && { toolCalls }),
    ...(typeof minutes === 'number' && { minutes }),
    keep: keep === true,
    maySpawn: maySpawn === true,
  };
}

function graphProblem(workers: readonly DelegatedWork[]): DelegateProblem | undefined {
  const names = new Set<string>();
  for (const { name } of workers) {
    if (names.has(name)) return problem('duplicate-name', `Two workers have the name ${name}.`);
    names.add(name);
  }
  for (const { name, after } of workers) {
    const unknown = after.find((other) => !names.has(other));
    if (unknown !== undefined)
      return problem('unknown-dependency', `${name} waits for ${unknown}, which is not in the list.`);
  }
  let rest = workers;
  for (;;) {
    const open = new Set(rest.map(({ name }) => name));
    const held = rest.filter(({ after }) => after.some((name) => open.has(name)));
    if (held.length === 0) return undefined;
    if (held.length === rest.length) {
      return problem('cycle', `These workers wait for each other in a circle: ${[...open].join(', ')}.`);
    }
    rest = held;
  }
}

function problem(code: DelegateProblem['code'], message: string): DelegateProblem {
  return { code, message };
}

export const delegateParameters: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['workers'],
  properties: {
    workers: {
      type: 'array',
      minItems: 1,
      maxItems: mostWorkers,
      items: {
        type: 'object',
        required: ['name', 'objective'],
        properties: {
          name: { type: 'string', description: 'A short name, unique among your workers.' },
          objective: { type: 'string', description: 'All it must know: it does not see this conversation.' },
          role: { type: 'string', description: 'Who it is, e.g. "a careful reviewer".' },
          agent: { type: 'string' },
          model: { type: 'string' },
          tools: { type: 'array', items: { type: 'string' }, description: 'Default: the tools you have.' },
          restricted: {
            type: 'array',
            items: { type: 'string' },
            description: 'What it must ask you about first, e.g. "write(src/**)"; you answer with decide.',
          },
          after: {
            type: 'array',
            items: { type: 'string' },
            description: 'Names of workers that must be done first.',
          },
          tokens: { type: 'number', description: 'Token limit.' },
          cost: { type: 'number', description: 'Cost limit in US dollars.' },
          toolCalls: { type: 'number', description: 'Tool call limit.' },
          minutes: { type: 'number', description: 'Time limit in minutes (default 30).' },
          keep: { type: 'boolean', description: 'Keep its history for later work under the same name.' },
          maySpawn: { type: 'boolean', description: 'Whether it may delegate too.' },
        },
      },
    },
    wait: {
      type: 'boolean',
      description: 'False returns at once, and you are notified when each one ends. Default true.',
    },
    whenDependencyFails: { enum: ['skip', 'fail', 'run-anyway'] },
  },
};
