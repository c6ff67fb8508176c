/** One open question with everything that a yes would run or change. Loaded once, also for external agents. */
import type { Body } from '../../../src/kernel/content.ts';
import type { OpenQuestion } from '../../../src/views/open-question.ts';
import type { TranscriptPage } from '../../../src/views/transcript-page.ts';
import { questionEndText } from '../../../src/wording/answer.ts';
import { getApi } from '../connection/api.ts';

export interface Asked {
  readonly question: OpenQuestion | undefined;
  /** The full arguments of the call. */
  readonly args: string | undefined;
}

export function loadAsked(session: () => string, id: () => string): Asked {
  let question = $state.raw<OpenQuestion>();
  let args = $state<string>();
  $effect(() => {
    const [of, wanted] = [session(), id()];
    question = undefined;
    args = undefined;
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
  };
}

async function readBody(session: string, body: Body): Promise<string | undefined> {
  if (typeof body === 'string') return body;
  const answer = await getApi<{ readonly text: string }>(`/sessions/${session}/blobs/${body.blob}`);
  return answer.type === 'ok' ? answer.value.text : undefined;
}

/** Who answered a question that is no longer open, and how. */
export async function endOfQuestion(session: string, id: string, viewer: string): Promise<string | undefined> {
  const page = await getApi<TranscriptPage>(`/sessions/${session}/transcript?limit=200`);
  if (page.type === 'problem') return undefined;
  const item = page.value.items.find((one) => one.type === 'question' && one.question === id);
  return item?.type === 'question' ? questionEndText(item.state, viewer) : undefined;
}
