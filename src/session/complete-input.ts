/** What an input needs besides what its sender gave, before the session may take it. */
import type { Store } from '../journal/store.ts';
import type { InputBody } from '../kernel/input.ts';
import { turnOf } from '../kernel/state.ts';
import { describeAgain } from './describe-again.ts';
import { externalise } from './externalise.ts';
import type { EffectContext, Interpreter } from './interpreter.ts';

/**
 * The input with long content as blobs, an answer about the prompt with what it makes of it, and a recovery with
 * what its calls are today.
 */
export function completeInput(
  body: InputBody,
  context: EffectContext,
  {
    store,
    interpreter,
  }: {
    readonly store: Pick<Store, 'blobs'>;
    readonly interpreter: Pick<Interpreter, 'clarified' | 'describe' | 'rules'>;
  },
): InputBody | Promise<InputBody> {
  if (body.type === 'session-recovered') {
    return isRunningCalls(context) ? describeAgain(body, context, interpreter) : body;
  }
  if (body.type !== 'question-answered' || body.meaning !== undefined) return externalise(body, store.blobs);
  const { state } = context;
  const activity = turnOf(state)?.activity;
  const isAboutPrompt = activity?.type === 'clarifying' && activity.question === body.question;
  if (!isAboutPrompt || interpreter.clarified === undefined) return body;
  return interpreter
    .clarified(body.answer, state)
    .then((meaning) => (meaning === undefined ? body : { ...body, meaning }));
}

function isRunningCalls({ state }: EffectContext): boolean {
  return turnOf(state)?.activity.type === 'running-calls';
}
