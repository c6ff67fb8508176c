/** Asks for one answer by a typed line, the same way in `rondo run` and `rondo inbox -i`. */
import { answerFrom, answerPrompt } from '../../commands/line-answer.ts';
import type { Answer } from '../../kernel/question.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { isDangerous } from '../../wording/effect-heading.ts';

/** Asks for a line. Undefined if the input ended. */
type AskLine = (prompt: string) => Promise<string | undefined>;

/** An irreversible call needs the word `yes`. Undefined if the person gave no answer; the question stays open. */
export async function askAnswer(
  question: OpenQuestion,
  ask: AskLine,
  { hint = '' }: { readonly hint?: string } = {},
): Promise<Answer | 'skipped' | undefined> {
  const { about } = question;
  for (;;) {
    const line = (await ask(`${answerPrompt(about)}${hint} `))?.trim();
    if (line === undefined) return undefined;
    const mayDeny = about.type !== 'clarification' && about.type !== 'form';
    if (mayDeny && line.toLowerCase() === 'r') {
      const reason = (await ask('Reason: '))?.trim();
      return reason === undefined ? undefined : { type: 'reject', ...(reason !== '' && { reason }) };
    }
    const answer = answerFrom(about, line);
    if (answer === undefined) return 'skipped';
    if (!answer.type.startsWith('allow') || !isDangerous(question)) return answer;
    const sure = (await ask("It can't be undone. Type yes to run: "))?.trim().toLowerCase();
    if (sure === undefined) return undefined;
    if (sure === 'yes') return answer;
  }
}
