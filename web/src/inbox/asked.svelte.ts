/** One open question with everything that a yes would run or change. Loaded once, also for external agents. */
import { untrack } from 'svelte';

import { previewOf, type Body } from '../../../src/kernel/content.ts';
import type { OpenQuestion } from '../../../src/views/open-question.ts';
import type { TranscriptPage } from '../../../src/views/transcript-page.ts';
import { proseOf } from '../../../src/views/reply-end.ts';
import { questionEndText } from '../../../src/wording/answer.ts';
import { getApi } from '../connection/api.ts';

interface Asked {
  readonly question: OpenQuestion | undefined;
  /** The full arguments of the call. */
  readonly args: string | undefined;
  /** What the agent said right before. */
  readonly said: string | undefined;
  /** Whether everything that a yes would run or change is here. What can't be loaded is asked for again. */
  readonly state: 'loading' | 'whole' | 'failed';
}

export function loadAsked(session: () => string, id: () => string, isConnected: () => boolean): Asked {
  let question = $state.raw<OpenQuestion>();
  let args = $state<string>();
  let said = $state<string>();
  let state = $state<Asked['state']>('loading');
  // Every update of the session passes them again; only another question starts over.
  const of = $derived(session());
  const wanted = $derived(id());
  $effect(() => {
    const [asking, about] = [of, wanted];
    question = undefined;
    args = undefined;
    said = undefined;
    state = 'loading';
    void saidBefore(asking, about).then((text) => {
      if (about === id()) said = text;
    });
  });
  $effect(() => {
    const [asking, about] = [of, wanted];
    // A connection that came back is a reason to try again at once.
    isConnected();
    if (untrack(() => state) === 'whole') return undefined;
    let isOver = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      const found = await wholeQuestion(asking, about);
      if (isOver) return;
      if (found === undefined) {
        state = 'failed';
        again = setTimeout(() => void load(), againMs);
        return;
      }
      ({ question, args } = found);
      state = 'whole';
    };
    void load();
    return () => {
      isOver = true;
      clearTimeout(again);
    };
  });
  return {
    get question() {
      return question;
    },
    get args() {
      return args;
    },
    get said() {
      return said;
    },
    get state() {
      return state;
    },
  };
}

const againMs = 3000;

/** The question with the text of its call. Undefined if either can't be loaded. */
async function wholeQuestion(
  session: string,
  id: string,
): Promise<{ readonly question: OpenQuestion; readonly args: string | undefined } | undefined> {
  const answer = await getApi<{ questions: readonly OpenQuestion[] }>(`/sessions/${session}/questions`);
  const question = answer.type === 'ok' ? answer.value.questions.find((one) => one.id === id) : undefined;
  if (question?.args === undefined) return question && { question, args: undefined };
  const args = await readBody(session, question.args);
  return args === undefined ? undefined : { question, args };
}

async function readBody(session: string, body: Body): Promise<string | undefined> {
  if (typeof body === 'string') return body;
  const answer = await getApi<{ readonly text: string }>(`/sessions/${session}/blobs/${body.blob}`);
  return answer.type === 'ok' ? answer.value.text : undefined;
}

/** The last paragraph of the reply that the question belongs to. */
async function saidBefore(session: string, id: string): Promise<string | undefined> {
  const page = await getApi<TranscriptPage>(`/sessions/${session}/transcript?limit=30`);
  if (page.type === 'problem') return undefined;
  const { items } = page.value;
  const at = items.findIndex((one) => one.type === 'question' && one.question === id);
  const texts = items.slice(0, Math.max(0, at)).flatMap((one): readonly Body[] => {
    if (one.type === 'prompt') return [''];
    return (one.type === 'message' || one.type === 'agent-message') && one.text !== '' ? [one.text] : [];
  });
  const paragraphs = proseOf(previewOf(texts.at(-1) ?? '')).split(/\n\s*\n/);
  return paragraphs.findLast((one) => one.trim() !== '')?.trim();
}

/** Who answered a question that is no longer open, and how. */
export async function endOfQuestion(session: string, id: string, viewer: string): Promise<string | undefined> {
  const page = await getApi<TranscriptPage>(`/sessions/${session}/transcript?limit=200`);
  if (page.type === 'problem') return undefined;
  const item = page.value.items.find((one) => one.type === 'question' && one.question === id);
  return item?.type === 'question' ? questionEndText(item.state, viewer) : undefined;
}
