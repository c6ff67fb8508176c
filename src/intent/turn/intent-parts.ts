import { estimateTokens } from '../../kernel/content.ts';
import type { CompiledPrompt, PromptRequest } from './compile-prompt.ts';
import type { ConfigWanted, TurnConfig } from './config-factory.ts';
import type { Intent } from '../words/intent.ts';

/** Parts of intent compilation that a program can replace. Each may call the built-in one. */
export interface IntentParts {
  /** Turns a sentence into an intent. An intent whose verb Rondo doesn't know never causes a question. */
  readonly transducer?: (text: string, builtIn: () => Intent) => Intent | Promise<Intent>;
  /** Maps verbs and personas to tools and policies. It narrows: a tool that it omits needs approval. */
  readonly configFactory?: (wanted: ConfigWanted, builtIn: () => TurnConfig) => TurnConfig;
  /**
   * Compiles a context into the system text. `prefix` is the same for every turn of a session, `block` is for this
   * turn.
   */
  readonly promptCompiler?: (request: PromptRequest, builtIn: () => CompiledPrompt) => CompiledPrompt | PromptText;
}

interface PromptText {
  readonly prefix: string;
  readonly block: string;
}

/** Wraps a program's text as a compiled prompt. Its manifest lists no atoms. */
export function promptFrom(made: CompiledPrompt | PromptText, { context, budget }: PromptRequest): CompiledPrompt {
  if ('type' in made) return made;
  const { prefix, block } = made;
  const tokens = estimateTokens(prefix) + estimateTokens(block);
  const manifest = () => ({ context, atoms: [], budget: budget.total, tokens, over: 0, hash: '' });
  return { type: 'compiled', prefix, block, manifest };
}
