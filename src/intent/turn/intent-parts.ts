import { estimateTokens } from '../../kernel/content.ts';
import type { CompiledPrompt, PromptRequest } from './compile-prompt.ts';
import type { ConfigWanted, TurnConfig } from './config-factory.ts';
import type { Intent } from '../words/intent.ts';

/** Parts of the way from a sentence to a turn that a program replaces. Each may call the built-in one. */
export interface IntentParts {
  /** From a sentence to an intent. An intent with a verb that Rondo doesn't know is never asked about. */
  readonly transducer?: (text: string, builtIn: () => Intent) => Intent | Promise<Intent>;
  /** From verbs and personas to tools and policies. It narrows: a tool that it leaves out needs approval. */
  readonly configFactory?: (wanted: ConfigWanted, builtIn: () => TurnConfig) => TurnConfig;
  /** From a context to the system text: `prefix` is the same for every turn of a session, `block` is this turn's. */
  readonly promptCompiler?: (request: PromptRequest, builtIn: () => CompiledPrompt) => CompiledPrompt | PromptText;
}

export interface PromptText {
  readonly prefix: string;
  readonly block: string;
}

/** A program's text as a compiled prompt: its manifest knows no atoms. */
export function promptFrom(made: CompiledPrompt | PromptText, { context, budget }: PromptRequest): CompiledPrompt {
  if ('type' in made) return made;
  const { prefix, block } = made;
  const tokens = estimateTokens(prefix) + estimateTokens(block);
  const manifest = () => ({ context, atoms: [], budget: budget.total, tokens, over: 0, hash: '' });
  return { type: 'compiled', prefix, block, manifest };
}
