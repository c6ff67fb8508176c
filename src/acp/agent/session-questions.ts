/** Puts a session's questions to one client: as a choice, a form, or text in the conversation. */
import type { RequestPermissionRequest, RequestPermissionResponse, SessionUpdate } from '@agentclientprotocol/sdk';

import type { Actor } from '../../kernel/actor.ts';
import type { QuestionId } from '../../kernel/ids.ts';
import type { Answer } from '../../kernel/question.ts';
import type { Session } from '../../session/handle/session.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import type { QuestionItem } from '../../views/transcript-item.ts';
import type { Transcript } from '../../views/transcript.ts';
import { chunk } from './item-updates.ts';
import { answerFrom, permissionOptions, questionTitle } from './permission.ts';
import { toolCallIdOf } from './tool-call-content.ts';

export interface AskingClient {
  update(update: SessionUpdate): Promise<void>;
  ask(
    request: Omit<RequestPermissionRequest, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  /** Undefined if the client doesn't support forms. */
  fillForm?(form: { readonly message: string; readonly schema: unknown }, signal: AbortSignal): Promise<Filled>;
  /** Undefined if the client can't open URLs. */
  openUrl?(
    place: { readonly message: string; readonly url: string; readonly id: string },
    signal: AbortSignal,
  ): Promise<Filled>;
}

export type Filled =
  | { readonly type: 'filled'; readonly content: unknown }
  | { readonly type: 'declined' }
  | { readonly type: 'left' };

export interface QuestionsParts {
  readonly session: Session;
  readonly client: AskingClient;
  readonly by: Actor;
  readonly onProblem: (message: string) => void;
  /** Called if only the client's next prompt can answer a question. */
  readonly onWordsWanted: () => void;
}

export interface Questions {
  saw(item: QuestionItem, transcript: Transcript): void;
  /** True if the text answered a question that was waiting for it. */
  answerInWords(text: string): Promise<boolean>;
  close(): void;
}

export function createQuestions({ session, client, by, onProblem, onWordsWanted }: QuestionsParts): Questions {
  const asked = new Map<QuestionId, AbortController>();
  let inWords: QuestionId | undefined;

  async function answer(question: QuestionId, given: Answer | undefined): Promise<void> {
    // Another client may have answered first. The journal keeps the first answer.
    if (given !== undefined) await session.answer(question, given, { by });
  }

  async function ask(item: QuestionItem, transcript: Transcript, signal: AbortSignal): Promise<void> {
    const { about, question } = item;
    const text = about.type === 'clarification' ? await session.read(about.text) : '';
    const title = questionTitle(about, text);
    if (about.type === 'form' && about.url !== undefined && client.openUrl !== undefined) {
      const done = await client.openUrl({ message: about.title, url: about.url, id: question }, signal);
      return answer(question, done.type === 'filled' ? { type: 'allow-once' } : answerFromForm(done, true));
    }
    const options = permissionOptions(about);
    if (options !== undefined) {
      const { outcome } = await client.ask({ options, toolCall: toolCallFor(item, transcript, title) }, signal);
      return answer(question, answerFrom(outcome));
    }
    if (client.fillForm !== undefined) {
      const schema = about.type === 'form' ? about.schema : WORDS;
      const filled = await client.fillForm({ message: title, schema }, signal);
      return answer(question, answerFromForm(filled, about.type === 'form'));
    }
    if (about.type === 'form') {
      const where = `It needs a form, which this editor doesn't show. Answer it in the browser, or with \`rondo answer ${question}\`.`;
      return tell(`${title}\n${where}`, question);
    }
    await tell(title, question);
    inWords = question;
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
        if (inWords === question) inWords = undefined;
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
      const question = inWords;
      if (question === undefined) return false;
      inWords = undefined;
      const receipt = await session.answer(question, { type: 'text', text }, { by });
      return receipt.type === 'accepted';
    },
    close() {
      for (const controller of asked.values()) controller.abort();
      asked.clear();
    },
  };
}

const WORDS = {
  type: 'object',
  properties: { answer: { type: 'string', title: 'Answer' } },
  required: ['answer'],
};

function answerFromForm(filled: Filled, isForm: boolean): Answer | undefined {
  switch (filled.type) {
    case 'left':
      return undefined;
    case 'declined':
      return { type: 'reject' };
    case 'filled': {
      if (isForm) return { type: 'form', form: filled.content };
      const { answer } = filled.content as { readonly answer?: unknown };
      return { type: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer ?? '') };
    }
  }
}

/** The call that the question is about. Otherwise the question itself stands in for a call. */
function toolCallFor(
  { question, id, about }: QuestionItem,
  transcript: Transcript,
  title: string,
): RequestPermissionRequest['toolCall'] {
  const { items } = transcript;
  const call = itemsBetween(items, Math.max(0, items.length - 500), items.length).findLast(
    (item) =>
      (item.type === 'call' && item.state.type === 'asking' && item.state.question === question) ||
      (item.type === 'agent-call' &&
        about.type === 'approval' &&
        item.asked !== undefined &&
        item.call === about.call),
  );
  if (call?.type === 'call') return { toolCallId: toolCallIdOf(call) };
  // The call shows the agent's claim. The question shows what Rondo judges.
  if (call?.type === 'agent-call') return { toolCallId: toolCallIdOf(call), title };
  const link =
    about.type === 'form' && about.url !== undefined
      ? ({ type: 'resource_link', name: about.title, uri: about.url } as const)
      : undefined;
  return {
    toolCallId: `question-${id}`,
    title,
    kind: 'other',
    status: 'pending',
    ...(link !== undefined && { content: [{ type: 'content', content: link }] }),
  };
}
