/**
 * Puts a session's questions to one client.
 *
 * 1. A yes or a no is a permission request. Everything else is a form, or text that the next prompt answers.
 * 2. A client that runs inside an agent's session is only notified of a question (S19).
 * 3. If a client dismisses a question of its turn, the turn is cancelled. Other turns keep the question open.
 * 4. A client that can't handle a request gets the question as text.
 */
import type { Actor } from '../../kernel/actor.ts';
import type { QuestionId } from '../../kernel/ids.ts';
import type { Answer, QuestionSubject } from '../../kernel/question.ts';
import type { Session } from '../../session/handle/session.ts';
import { grantsText } from '../../views/call-summary.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { QuestionItem } from '../../views/transcript-item.ts';
import type { Transcript } from '../../views/transcript.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { questionHeading } from '../../wording/question.ts';
import type { AskingClient, Filled } from './editor-client.ts';
import { questionCall, ruleCall } from './question-call.ts';
import { chunk } from './item-updates.ts';
import { chosenFrom, permissionOptions, widerOptions, type Chosen } from './permission.ts';
import { answerFromForm, questionForm } from './question-form.ts';
import { answerFromText, questionText } from './question-text.ts';
import type { ToolCallPlace } from './tool-call-content.ts';

interface QuestionsParts {
  readonly session: Session;
  readonly client: AskingClient;
  readonly place: ToolCallPlace;
  readonly by: Actor;
  readonly mayDecide: boolean;
  readonly onProblem: (message: string) => void;
  /** Called if only the client's next prompt can answer a question. */
  readonly onWordsWanted: () => void;
  /** Called if the client dismissed an open question. */
  readonly onDismissed: () => Promise<void>;
}

interface Questions {
  saw(item: QuestionItem, transcript: Transcript): void;
  /** `unfitting`: the text isn't an answer, and the client was asked again. `none`: no question waits for text. */
  answerInWords(text: string): Promise<'answered' | 'unfitting' | 'none'>;
  /** Whether the next prompt is an answer. */
  wantWords(): boolean;
  /** Asks the next question that needs text. */
  askNext(): Promise<void>;
  close(): void;
}

export function createQuestions(parts: QuestionsParts): Questions {
  const { session, client, place, by, onProblem, onWordsWanted, onDismissed } = parts;
  const asked = new Map<QuestionId, AbortController>();
  /** Questions that need text, oldest first. Only the first has been shown. */
  let inWords: readonly OpenQuestion[] = [];

  async function settle({ id }: OpenQuestion, answer: Answer | undefined): Promise<void> {
    // Another client may have answered first. The journal keeps the first answer.
    if (answer !== undefined) return void (await session.answer(id, answer, { by }));
    const { questions } = await session.status();
    if (questions.some((open) => open.id === id)) await onDismissed();
  }

  async function ask(item: QuestionItem, transcript: Transcript, signal: AbortSignal): Promise<void> {
    const { about } = item;
    const question = await openQuestion(item);
    if (!parts.mayDecide)
      return await tell(
        `${questionHeading(question)}\nA person answers this: rondo answer ${question.id}`,
        question.id,
      );
    if (about.type === 'form' && about.url !== undefined && client.openUrl !== undefined) {
      const place = { message: about.title, url: about.url, id: question.id };
      const done = await answered(client.openUrl(place, signal), question, signal);
      if (done?.type === 'filled') return await settle(question, { type: 'allow-once' });
      if (done !== undefined) return await settle(question, answerOf(about, done));
    }
    const chosen = await askPermission(item, question, transcript, signal);
    if (chosen?.type === 'answer') return await settle(question, chosen.answer);
    if (chosen !== undefined) return await settle(question, undefined);
    const schema = questionForm(about);
    if (schema !== undefined && client.fillForm !== undefined) {
      const message = about.type === 'clarification' ? await session.read(about.text) : questionHeading(question);
      const filled = await answered(client.fillForm({ message, schema }, signal), question, signal);
      if (filled !== undefined) return await settle(question, answerOf(about, filled));
    }
    inWords = [...inWords, question];
    if (inWords.length === 1) await askNext();
  }

  async function openQuestion({ question: id, at, about }: QuestionItem): Promise<OpenQuestion> {
    const { questions } = await session.status();
    return questions.find((open) => open.id === id) ?? { id, openedAt: at, about };
  }

  /** Undefined if the client can't handle the request. */
  async function answered<Value>(
    request: Promise<Value>,
    { id }: OpenQuestion,
    signal: AbortSignal,
  ): Promise<Value | undefined> {
    try {
      return await request;
    } catch (error) {
      if (signal.aborted) throw error;
      onProblem(`asking ${id} of the editor: ${String(error)}`);
      return undefined;
    }
  }

  /** Undefined if the question can't be a permission request, or the client can't handle one. */
  async function askPermission(
    item: QuestionItem,
    question: OpenQuestion,
    transcript: Transcript,
    signal: AbortSignal,
  ): Promise<Chosen | undefined> {
    const { about } = item;
    const options = permissionOptions(about);
    if (options === undefined) return undefined;
    const toolCall = await questionCall(item, question, transcript, place);
    const isAboutCall = about.type === 'approval';
    const response = await answered(client.ask({ options, toolCall, isAboutCall }, signal), question, signal);
    if (response === undefined) return undefined;
    const chosen = chosenFrom(response.outcome, options);
    if (chosen.type !== 'wider' || about.type !== 'approval') return chosen;
    const wider = widerOptions(about);
    const rules = ruleCall(toolCall, visibleLine(grantsText(about.grants, 'whole')));
    const second = await answered(
      client.ask({ options: wider, toolCall: rules, isAboutCall: false }, signal),
      question,
      signal,
    );
    return second === undefined ? undefined : chosenFrom(second.outcome, wider);
  }

  async function askNext(): Promise<void> {
    const [question] = inWords;
    if (question === undefined) return;
    const { about } = question;
    const whole = about.type === 'clarification' ? await session.read(about.text) : '';
    await tell(questionText(question, whole), question.id);
    onWordsWanted();
  }

  async function tell(text: string, question: QuestionId): Promise<void> {
    for (const update of chunk('agent_message_chunk', text, question)) await client.update(update);
  }

  return {
    saw(item, transcript) {
      const { question } = item;
      if (item.state.type !== 'open') {
        asked.get(question)?.abort();
        asked.delete(question);
        inWords = inWords.filter(({ id }) => id !== question);
        return;
      }
      if (asked.has(question)) return;
      const controller = new AbortController();
      asked.set(question, controller);
      // Don't wait: the feed must continue, including with another client's answer.
      ask(item, transcript, controller.signal).catch((error: unknown) => {
        if (!controller.signal.aborted) onProblem(`asking ${question} of the editor: ${String(error)}`);
      });
    },
    async answerInWords(text) {
      const [question] = inWords;
      if (question === undefined) return 'none';
      const answer = answerFromText(question, text);
      if (answer === undefined) {
        await askNext();
        return 'unfitting';
      }
      inWords = inWords.slice(1);
      const receipt = await session.answer(question.id, answer, { by });
      return receipt.type === 'accepted' ? 'answered' : 'none';
    },
    wantWords: () => inWords.length > 0,
    askNext,
    close() {
      for (const controller of asked.values()) controller.abort();
      asked.clear();
    },
  };
}

/** Undefined if the client dismissed the form. */
function answerOf(about: QuestionSubject, filled: Filled): Answer | undefined {
  switch (filled.type) {
    case 'left':
      return undefined;
    case 'declined':
      return { type: 'reject' };
    case 'filled':
      return answerFromForm(about, filled.content) ?? { type: 'reject' };
  }
}
