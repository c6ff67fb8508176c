import { answerQuestion, questionAndRest } from './answer-question.ts';
import { sessionCommand } from './command.ts';
import { answerFrom } from './line-answer.ts';

export const answer = sessionCommand({
  name: 'answer',
  isForPeople: true,
  parameters: [{ name: 'words', required: true }],
  summary: 'answer a question; `/answer q_… words` names it',
  run({ words }, { session }) {
    const { id, rest = '' } = questionAndRest(words);
    return answerQuestion(
      session,
      id,
      ({ about }) => answerFrom(about, rest) ?? `"${rest}" doesn't answer this question.`,
    );
  },
});
