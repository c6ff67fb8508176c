import type { RondoClient } from '../ports/rondo-client.ts';
import { isDangerous } from '../wording/effect-heading.ts';
import { answerQuestion } from './answer-question.ts';
import { misuse, type Command } from './command.ts';
import type { CommandResult, InboxRequest } from './command-result.ts';
import { answerFrom } from './line-answer.ts';

export const inbox: Command = {
  name: 'inbox',
  isForPeople: true,
  parameters: [{ name: 'number' }, { name: 'answer' }],
  summary: 'show the requests of all sessions; N shows one, N y answers it',
  async run({ number, answer }, { rondo }) {
    const requests = await openRequests(rondo);
    if (number === undefined) return { type: 'inbox', requests };
    const request = requests[Number(number) - 1];
    if (request === undefined) return misuse(`/inbox takes the number of a request, not "${number}"`);
    return answer === undefined
      ? { type: 'inbox', requests: [request], isOne: true }
      : answerRequest(rondo, request, answer);
  },
};

/** Oldest first. Omits requests that are answered during the lookup. */
export async function openRequests(rondo: RondoClient): Promise<readonly InboxRequest[]> {
  const waiting = await rondo.inbox();
  const sessions = [...new Set(waiting.map(({ session }) => session))];
  const requests = await Promise.all(
    sessions.map(async (id): Promise<readonly InboxRequest[]> => {
      const session = await rondo.open(id);
      const [{ title = '', cwd }, questions] = await Promise.all([session.status(), session.questions()]);
      const own = new Set(waiting.filter((one) => one.session === id).map((one) => one.id));
      return questions.filter((one) => own.has(one.id)).map((question) => ({ question, session: id, title, cwd }));
    }),
  );
  return requests.flat().toSorted((a, b) => a.question.openedAt - b.question.openedAt);
}

/** An irreversible call needs the word `yes` after the answer. */
async function answerRequest(
  rondo: RondoClient,
  { question, session }: InboxRequest,
  text: string,
): Promise<CommandResult> {
  const [, words = text, confirmed] = /^(.*?)\s+(yes)$/i.exec(text) ?? [];
  const answer = answerFrom(question.about, confirmed === undefined ? text : words);
  if (answer === undefined) return misuse(`"${text}" isn't an answer to this request`);
  if (isDangerous(question) && answer.type.startsWith('allow') && confirmed === undefined)
    return { type: 'refused', message: `It can't be undone. Add the word yes: ${text} yes` };
  return answerQuestion(await rondo.open(session), question.id, () => answer);
}
