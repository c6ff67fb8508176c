import { answerQuestion } from './answer-question.ts';
import { sessionCommand } from './command.ts';

export const trust = sessionCommand({
  name: 'trust',
  isForPeople: true,
  parameters: [{ name: 'question' }],
  summary: 'allow a request for the whole session',
  run: ({ question }, { session }) => answerQuestion(session, question, () => ({ type: 'allow-session' })),
});
