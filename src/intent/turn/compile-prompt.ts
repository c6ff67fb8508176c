/**
 * Compiles the system text of a turn from atoms.
 *
 * 1. The prefix contains what applies to every turn: the agent's own prompt, the skeleton without conditions, and
 *    the agent's whole list of tools. Equal agent and tools give equal bytes, whatever the request.
 * 2. Everything else is in one block after it.
 * 3. The budget counts exactly what is printed. The manifest, built on demand, lists every atom considered, with
 *    its reason.
 * 4. Compiled prompts are cached by context, at most `capacity`. Replacing the atoms clears the cache.
 */
import { estimateTokens } from '../../kernel/content.ts';
import { planBudget, type PlacedAtom, type TokenBudget } from './budget.ts';
import {
  atomCategories,
  dimensions,
  skeletonCategories,
  type AtomCategory,
  type AtomForm,
  type PromptAtom,
  type PromptContext,
} from '../words/prompt-atom.ts';
import { selectAtoms } from './select-atoms.ts';

export interface PromptRequest {
  readonly context: PromptContext;
  /** The agent's own prompt, which opens the prefix. */
  readonly opening: string;
  /** Every tool of the agent, whatever this turn may use. */
  readonly tools: readonly string[];
  readonly budget: TokenBudget;
}

export type CompiledPrompt =
  | {
      readonly type: 'compiled';
      readonly prefix: string;
      readonly block: string;
      readonly manifest: () => PromptManifest;
    }
  | { readonly type: 'invalid'; readonly problem: string };

export interface PromptManifest {
  readonly context: PromptContext;
  readonly atoms: readonly ManifestEntry[];
  readonly budget: number;
  readonly tokens: number;
  readonly over: number;
  /** SHA-256 over prefix and block. */
  readonly hash: string;
}

export interface ManifestEntry {
  readonly id: string;
  readonly version: number;
  readonly category: AtomCategory;
  readonly chosen: boolean;
  readonly reason: string;
  readonly form?: AtomForm;
  readonly tokens?: number;
}

interface PromptCompiler {
  compile(request: PromptRequest): CompiledPrompt;
  /** Replaces the atoms and clears the cache. */
  replaceAtoms(atoms: readonly PromptAtom[]): void;
  readonly counts: () => { readonly hits: number; readonly misses: number; readonly kept: number };
}

export function createPromptCompiler(shipped: readonly PromptAtom[], { capacity = 64 } = {}): PromptCompiler {
  let atoms = shipped;
  const kept = new Map<string, CompiledPrompt>();
  let hits = 0;
  let misses = 0;
  return {
    compile(request) {
      const key = keyOf(request);
      const prompt = kept.get(key);
      if (prompt !== undefined) {
        hits += 1;
        kept.delete(key);
        kept.set(key, prompt);
        return prompt;
      }
      misses += 1;
      const compiled = compilePrompt(atoms, request);
      kept.set(key, compiled);
      const [oldest] = kept.keys();
      if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
      return compiled;
    },
    replaceAtoms(next) {
      atoms = next;
      kept.clear();
    },
    counts: () => ({ hits, misses, kept: kept.size }),
  };
}

export function compilePrompt(atoms: readonly PromptAtom[], request: PromptRequest): CompiledPrompt {
  const { context, opening, tools, budget } = request;
  const selection = selectAtoms(atoms, context);
  if (selection.type === 'invalid') return selection;
  const missing = skeletonCategories.filter(
    (category) => !selection.chosen.some(({ atom }) => atom.category === category),
  );
  if (missing.length > 0)
    return { type: 'invalid', problem: `missing atoms: ${missing.join(', ')}. Every prompt needs them` };

  const list = toolList(tools);
  const fixed = estimateTokens(`${opening}\n\n${list}\n\n`);
  const plan = planBudget(selection.chosen, { ...budget, fixed: fixed + (budget.fixed ?? 0) });
  if (plan.type === 'invalid') return plan;

  const printed = plan.placed.toSorted(inPrintingOrder);
  const constant = printed.filter(({ atom }) => isConstant(atom));
  const changing = printed.filter(({ atom }) => !isConstant(atom));
  const prefix = [opening, ...constant.map(({ text }) => text), list].filter((text) => text !== '').join('\n\n');
  const block = changing.map(({ text }) => text).join('\n\n');
  const entries = (): readonly ManifestEntry[] => [
    ...printed.map((placed) => ({
      ...entryOf(placed.atom, true, placed.reason),
      form: placed.form,
      tokens: placed.tokens,
    })),
    ...plan.unplaced.map(({ choice, reason }) => entryOf(choice.atom, false, reason)),
    ...selection.dropped.map(({ atom, reason }) => entryOf(atom, false, reason)),
  ];
  const manifest = (): PromptManifest => ({
    context,
    atoms: entries(),
    budget: plan.budget,
    tokens: plan.tokens,
    over: plan.over,
    // Loaded lazily: loading it takes longer than a first compile.
    hash: process.getBuiltinModule('node:crypto').hash('sha256', `${prefix}\0${block}`),
  });
  return { type: 'compiled', prefix, block, manifest };
}

/** True if it is mandatory and has no condition: it is in every prompt, in full. */
function isConstant({ category, mandatory, when }: PromptAtom): boolean {
  return (
    mandatory &&
    skeletonCategories.includes(category) &&
    dimensions.every((dimension) => when[dimension] === undefined)
  );
}

const rank = new Map(atomCategories.map((category, index) => [category, index]));

function inPrintingOrder(a: PlacedAtom, b: PlacedAtom): number {
  const byCategory = (rank.get(a.atom.category) ?? 0) - (rank.get(b.atom.category) ?? 0);
  return byCategory || b.score - a.score || (a.atom.id < b.atom.id ? -1 : 1);
}

function toolList(tools: readonly string[]): string {
  return tools.length === 0
    ? 'You have no tools in this session.'
    : `Your tools in this session: ${tools.toSorted().join(', ')}.`;
}

function entryOf({ id, version, category }: PromptAtom, chosen: boolean, reason: string): ManifestEntry {
  return { id, version, category, chosen, reason };
}

function keyOf({ context, opening, tools, budget }: PromptRequest): string {
  const parts = dimensions.map((dimension) => context[dimension]?.toSorted() ?? null);
  return JSON.stringify([parts, opening, tools.toSorted(), budget.total, budget.reserve, budget.fixed ?? 0]);
}
