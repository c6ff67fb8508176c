/** One open question with everything that a yes would run or change. Loaded once, also for external agents. */
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
}

export function loadAsked(session: () => string, id: () => string): Asked {
  let question = $state.raw<OpenQuestion>();
  let args = $state<string>();
  let said = $state<string>();
  $effect(() => {
    const [of, wanted] = [session(), id()];
    question = undefined;
    args = undefined;
    said = undefined;
    void saidBefore(of, wanted).then((text) => {
      if (wanted === id()) said = text;
    });
    void getApi<{ questions: readonly OpenQuestion[] }>(`/sessions/${of}/questions`).then(async (answer) => {
      if (answer.type === 'problem' || wanted !== id()) return;
      question = answer.value.questions.find((one) => one.id === wanted);
      const whole = question?.args === undefined ? undefined : await readBody(of, question.args);
      if (wanted === id()) args = whole;
    });
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
  };
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
