/**
 * The world outside the process, for fault loops and simulations. Changes made by effects persist, whatever happens
 * to the process, and an effect can be the last thing a process does.
 */
import type { CallFacts } from '../kernel/call.ts';
import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import type { RondoOptions } from '../rondo.ts';
import type { Model } from '../ports/model.ts';
import type { Tool } from '../ports/tool.ts';
import { testTool } from './test-tool.ts';

/** Tools that act on a world which survives the process. */
export interface World {
  /** Effects in the order they happened: `tool effect#attempt`. */
  readonly happened: readonly string[];
  /** How often each effect of a non-repeatable tool happened. */
  timesOf(tool: string): ReadonlyMap<string, number>;
  tool(name: string, facts?: Partial<CallFacts>): Tool;
  model(inner: Model): Model;
  /** One file that `write` changes, with its checkpoints. Saving and restoring are effects. */
  readonly file: WorldFile;
  readonly effects: number;
}

interface WorldFile {
  content(): string;
  write(content: string): void;
  readonly checkpoints: NonNullable<RondoOptions['checkpoints']>;
}

/** When a process dies while carrying out an effect. */
export type EffectCrash = { readonly at: number; readonly when: 'before' | 'after'; readonly crash: () => void };

/** A world outside a session that counts effects, so that a test can see what happened twice. */
export function createWorld(planned?: EffectCrash): World {
  const happened: string[] = [];
  const byTool = new Map<string, Map<string, number>>();
  let effects = 0;

  /** Runs an effect, or dies before or after it, as planned. A dead process gives no answer. */
  async function effect<Value>(take: () => Promise<Value>): Promise<Value> {
    effects += 1;
    const dies = planned !== undefined && effects === planned.at ? planned : undefined;
    if (dies?.when === 'before') return die(dies);
    const value = await take();
    return dies === undefined ? value : die(dies);
  }

  let content = '';
  const contents = new Map<string, string>();
  /** A label names one moment: repeating it returns the existing checkpoint. */
  const keep = (label: string): FileCheckpoint => {
    if (!contents.has(label)) contents.set(label, content);
    return { label, at: 0, root: '/world', kept: { type: 'copies', number: 0 } };
  };
  const file: WorldFile = {
    content: () => content,
    write(written) {
      content = written;
    },
    checkpoints: {
      take: async (_state, turn) => keep(`turn-${turn}`),
      touch: async () => undefined,
      forget: async () => undefined,
      changes: async (_state, { label }) =>
        contents.get(label) === content ? [] : [{ path: 'file', status: 'modified' }],
      takeBefore: (_state, _checkpoint, label) => effect(async () => keep(label)),
      restore: (_state, { label }) =>
        effect(async () => {
          content = contents.get(label) ?? '';
          return { restored: ['file'], removed: [], blocked: [] };
        }),
    },
  };

  return {
    happened,
    file,
    timesOf: (tool) => byTool.get(tool) ?? new Map(),
    get effects() {
      return effects;
    },
    tool: (name, facts = {}) =>
      testTool(
        name,
        (args, { effect: id, attempt }) =>
          effect(async () => {
            happened.push(`${name} ${id}#${attempt}`);
            const times = byTool.get(name) ?? new Map<string, number>();
            byTool.set(name, times.set(id, (times.get(id) ?? 0) + 1));
            return `${name} done ${JSON.stringify(args)}`;
          }),
        facts,
      ),
    model: (inner) => ({
      name: inner.name,
      call: (request, sink, signal) => effect(() => inner.call(request, sink, signal)),
    }),
  };
}

function die({ crash }: EffectCrash): Promise<never> {
  crash();
  return new Promise(() => {});
}
