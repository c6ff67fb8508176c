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
    readonly interpreter: Pick<Interpreter, 'clarified' | 'describe'>;
  },
): InputBody | Promise<InputBody> {
  if (body.type !== 'question-answered' || body.meaning !== undefined || body.edited !== undefined)
    return externalise(body, put);
  if (body.answer.type === 'allow-edited')
    return withEdited(body, context, interpreter).then((described) => externalise(described, put));
  const { state } = context;
  const activity = turnOf(state)?.activity;
  const isAboutPrompt = activity?.type === 'clarifying' && activity.question === body.question;
  if (!isAboutPrompt || interpreter.clarified === undefined) return body;
  return interpreter
    .clarified(body.answer, state)
    .then((meaning) => (meaning === undefined ? body : { ...body, meaning }));
}

type Answered = Extract<InputBody, { type: 'question-answered' }>;

/** The facts of the edited call, as the gate must see them. Without an open call, the kernel refuses the answer. */
async function withEdited(
  body: Answered,
  context: EffectHost,
  { describe }: Pick<Interpreter, 'describe'>,
): Promise<Answered> {
  const { question, answer } = body;
  const activity = turnOf(context.state)?.activity;
  if (answer.type !== 'allow-edited' || activity?.type !== 'running-calls') return body;
  const asking = activity.calls.find((progress) => progress.type === 'asking' && progress.question === question);
  if (asking?.type !== 'asking') return body;
  const { id, tool } = asking.call;
  const text = typeof answer.args === 'string' ? answer.args : await context.read(answer.args);
  const [call] = await describe([{ id, tool, args: text }], context);
  if (call === undefined) return body;
  return { ...body, answer: { type: 'allow-edited', args: call.args }, edited: { call: id, facts: call.facts } };
}
