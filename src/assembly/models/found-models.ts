/** A process's models: configured ones, discovered ones, and those that need no provider. */
import { readFileSync, statSync } from 'node:fs';

import type { AgentRef } from '../../kernel/agent.ts';
import { optional } from '../../kernel/optional.ts';
import type { FoundModel } from '../../models/providers/provider.ts';
import { createModelPool, type ModelPool, type PoolOptions } from '../../models/pool.ts';
import type { Price } from '../../models/prices.ts';
import { createScriptedModel, parseScript } from '../../models/scripted.ts';
import { createTestingModel } from '../../models/testing-model.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Model } from '../../ports/model.ts';
import { redactModel } from './redact-model.ts';

export interface FoundModels {
  resolve(agent: AgentRef): Promise<Model | string>;
  /** The agent's model, else the best one found. Undefined if there is none. */
  reference(agent: Pick<AgentRef, 'model'>): Promise<string | undefined>;
  /** Preloads what the agent's first call needs. Problems with its model are reported by that call. */
  prepare(agent: Pick<AgentRef, 'model'>): Promise<void>;
  /** Why a reference can't be used. Undefined if it can. */
  problemWith(reference: string): string | undefined;
  /** Which key a call needs and nobody set. */
  keyProblem(reference: string): string | undefined;
  /** The price of its calls. Undefined if unknown. */
  price(reference: string): Price | undefined;
  /** Its context window in tokens. Undefined if unknown. */
  window(reference: string): number | undefined;
  /** Models available without configuration, best first, and why. */
  list(): Promise<readonly FoundModel[]>;
}

export function findModels(options: {
  readonly env: PoolOptions['env'];
  readonly clock: Clock;
  readonly config?: NonNullable<PoolOptions['config']>;
  /** Providers whose key in `env` comes from Rondo's own file. */
  readonly stored?: readonly string[];
  /** Values to hide from models' text. */
  readonly secrets?: readonly string[];
}): FoundModels {
  const pool: ModelPool = createModelPool({
    env: options.env,
    clock: options.clock,
    ...optional({ config: options.config }),
    schemes: { offline: offlineModel, testing: createTestingModel, scripted: scriptedFile },
  });
  let detected: Promise<readonly FoundModel[]> | undefined;
  let best: Promise<FoundModel | undefined> | undefined;
  const { secrets = [], stored = [] } = options;
  const withSource = (model: FoundModel) =>
    stored.includes(model.provider) ? { ...model, why: 'its key is stored' } : model;
  const quiet = new WeakMap<Model, Model>();
  const redacted = (model: Model): Model => {
    const existing = quiet.get(model);
    if (existing !== undefined) return existing;
    const made = redactModel(model, secrets);
    quiet.set(model, made);
    return made;
  };
  const referenceOf = async ({ model }: Pick<AgentRef, 'model'>) =>
    model ?? (await (best ??= pool.detectBest()))?.id;
  const problemWith = (reference: string): string | undefined => {
    if (reference.startsWith('scripted:')) return scriptProblem(reference.slice('scripted:'.length));
    const resolved = pool.get(reference);
    return 'call' in resolved ? undefined : resolved.message;
  };
  return {
    list: () => (detected ??= pool.detect().then((all) => all.map(withSource))),
    reference: referenceOf,
    keyProblem: (reference) => pool.keyProblem(reference),
    price: (reference) => pool.priceOf(reference),
    window(reference) {
      const model = pool.get(reference);
      return 'call' in model ? model.contextTokens : undefined;
    },
    async prepare(agent) {
      const reference = await referenceOf(agent);
      if (reference !== undefined) await pool.prepare(reference);
    },
    async resolve(agent) {
      const { name } = agent;
      const reference = await referenceOf(agent);
      if (reference === undefined) return `Agent ${name} has no model, and none was found; see \`rondo models\`.`;
      const problem = problemWith(reference);
      if (problem !== undefined) return problem;
      const resolved = pool.get(reference);
      return 'call' in resolved ? redacted(resolved) : resolved.message;
    },
    problemWith,
  };
}

/** Loaded on its first call: most processes have a language model and never need it. */
function offlineModel(): Model {
  let loading: Promise<Model> | undefined;
  const load = async () => (await import('../../offline/offline-model.ts')).createOfflineModel();
  return {
    name: 'offline',
    cost: () => 0,
    call: async (request, sink, signal) => (await (loading ??= load())).call(request, sink, signal),
  };
}

function scriptedFile(file: string): Model {
  const steps = readScript(file);
  if (typeof steps !== 'string')
    return createScriptedModel(steps, { name: `scripted:${file}`, order: 'position' });
  return {
    name: `scripted:${file}`,
    call: async () => ({ type: 'failed', code: 'model-invalid', message: steps, retryable: false }),
  };
}

function scriptProblem(file: string): string | undefined {
  const steps = readScript(file);
  return typeof steps === 'string' ? steps : undefined;
}

function readScript(file: string): ReturnType<typeof parseScript> {
  let text: string;
  try {
    // Reading a pipe or a device would block the whole process.
    if (!statSync(file).isFile()) return `The script ${file} isn't a plain file.`;
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return `Can't read the script ${file}: ${(error as Error).message}`;
  }
  const steps = parseScript(text);
  return typeof steps === 'string' ? `Invalid script ${file}: ${steps}.` : steps;
}
