/** Completes an input with what it needs beyond its sender's data before the session accepts it. */
import type { InputBody } from '../../kernel/input.ts';
import { turnOf } from '../../kernel/state.ts';
import { externalise, type PutContent } from './externalise.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { EffectHost } from '../../ports/effect-host.ts';

/** Moves long content to blobs, and adds the meaning to an answer about the prompt. */
export function completeInput(
  body: InputBody,
  context: EffectHost,
  {
    put,
    interpreter,
  }: {
    readonly put: PutContent;
    readonly interpreter: Pick<Interpreter, 'clarified'>;
  },
): InputBody | Promise<InputBody> {
  if (body.type !== 'question-answered' || body.meaning !== undefined) return externalise(body, put);
  const { state } = context;
  const activity = turnOf(state)?.activity;
  const isAboutPrompt = activity?.type === 'clarifying' && activity.question === body.question;
  if (!isAboutPrompt || interpreter.clarified === undefined) return body;
  return interpreter
    .clarified(body.answer, state)
    .then((meaning) => (meaning === undefined ? body : { ...body, meaning }));
}
