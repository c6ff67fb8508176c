import { answerQuestion } from './answer-question.ts';
import { sessionCommand } from './command.ts';

export const approve = sessionCommand({
  name: 'approve',
  isForPeople: true,
  parameters: [{ name: 'question' }],
  summary: 'allow a request once',
  run: ({ question }, { session }) => answerQuestion(session, question, () => ({ type: 'allow-once' })),
});
