/** What an input needs besides what its sender gave, before the session may take it. */
import type { InputBody } from '../../kernel/input.ts';
import { turnOf } from '../../kernel/state.ts';
import { externalise, type PutContent } from './externalise.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { EffectHost } from '../../ports/effect-host.ts';

/** The input with long content as blobs, and an answer about the prompt with what it makes of it. */
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
