/** Open requests of all sessions: a numbered list, or one in full. */
import { oneLine } from '../../views/one-line.ts';
import { counted } from '../../wording/counted.ts';
import { ageText } from '../../wording/duration.ts';
import { effectHeading, isDangerous } from '../../wording/effect-heading.ts';
import { questionCard } from '../../wording/question-card.ts';
import type { CommandResult } from '../command-result.ts';

export function inboxLines(
  { requests, isOne }: Extract<CommandResult, { type: 'inbox' }>,
  now: number,
): readonly string[] {
  const [first] = requests;
  if (first === undefined) return ['Nothing needs you.'];
  if (isOne === true) return questionCard(first.question, { answerBy: 'command' }).map(({ text }) => text);
  const rows = requests.map(({ question, title, cwd }, index) => {
    const mark = isDangerous(question) ? ' !!' : '';
    const from = [oneLine(title), cwd.split('/').at(-1) ?? '', ageText(now - question.openedAt)]
      .filter(Boolean)
      .join(' · ');
    return `${index + 1}. ${effectHeading(question)}${mark}  ${from}`;
  });
  return [
    ...rows,
    `${counted(requests.length, 'open request')}. /inbox N shows one, /inbox N y allows it, /inbox N n denies it.`,
  ];
}
