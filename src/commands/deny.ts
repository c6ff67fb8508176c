import { optional } from '../kernel/optional.ts';
import { answerQuestion, questionAndRest } from './answer-question.ts';
import { sessionCommand } from './command.ts';

export const deny = sessionCommand({
  name: 'deny',
  parameters: [{ name: 'reason' }],
  summary: 'reject a request; `/deny q_… why` names the question',
  run({ reason: words }, { session }) {
    const { id, rest: reason } = questionAndRest(words);
    return answerQuestion(session, id, () => ({ type: 'reject', ...optional({ reason }) }));
  },
});
