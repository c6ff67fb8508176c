/**
 * Whether to ask the person what they meant, and what. Asked only where guessing would be worse: the two best
 * verbs are close *and* differ in what they may change, or a named target fits several files equally well.
 */
import type { Intent } from './intent.ts';
import { differInChange } from './match-verb.ts';

export interface ClarifyContext {
  /** Nobody can be asked: the best guess is taken and recorded. */
  readonly asks: 'anyone' | 'nobody';
  /** A language model will read the prompt; it can ask for itself. */
  readonly readBy: 'model' | 'rules';
  /** A question is already open. */
  readonly open: boolean;
  /** Files that fit the named target equally well. */
  readonly targets?: readonly string[];
}

export type Clarification =
  | { readonly type: 'ask'; readonly text: string; readonly options: readonly ClarifyOption[] }
  | { readonly type: 'proceed'; readonly reason: string };

export interface ClarifyOption {
  readonly label: string;
  /** What the intent becomes if it is picked. */
  readonly verb?: string;
  readonly target?: string;
}

const mostOptions = 5;

export function decideClarification(intent: Intent, context: ClarifyContext): Clarification {
  const question = questionFor(intent, context.targets ?? []);
  if (question === undefined) return { type: 'proceed', reason: 'The request is clear enough.' };
  if (context.readBy === 'model') return { type: 'proceed', reason: 'The model reads the prompt and can ask.' };
  if (context.asks === 'nobody')
    return { type: 'proceed', reason: `Nobody can be asked; taken as ${intent.verb}.` };
  if (context.open) return { type: 'proceed', reason: 'A question is open already.' };
  return question;
}

function questionFor(
  intent: Intent,
  targets: readonly string[],
): Extract<Clarification, { type: 'ask' }> | undefined {
  if (intent.by !== 'typed') {
    const [other] = intent.ambiguity;
    if (other !== undefined && differInChange(intent.category, other.category)) {
      return {
        type: 'ask',
        text: `Shall I ${wordsOf(intent.verb)} or ${wordsOf(other.verb)}?`,
        options: [intent, other].map(({ verb, category }) => ({
          label:
            category === 'mutation' ? `${wordsOf(verb)} (changes files)` : `${wordsOf(verb)} (changes nothing)`,
          verb,
        })),
      };
    }
  }
  if (targets.length < 2) return undefined;
  return {
    type: 'ask',
    text: `Which ${intent.target?.text ?? 'file'} do you mean?`,
    options: targets.slice(0, mostOptions).map((target) => ({ label: target, target })),
  };
}

function wordsOf(verb: string): string {
  return verb.replaceAll('_', ' and ');
}
