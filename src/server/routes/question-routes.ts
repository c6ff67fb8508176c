import { answerSchema, type WireAnswer } from '../../protocol/input-schema.ts';
import { wireQuestion } from '../question-feed.ts';
import { routeAnswer, ok, param, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function questionRoutes({ backend, operations }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/questions',
      operation: 'listQuestions',
      summary: 'List open questions of all sessions',
      role: 'viewer',
      async handle() {
        return ok({ questions: (await backend.questions()).map(wireQuestion) });
      },
    },
    {
      method: 'POST',
      path: '/questions/:id/answer',
      operation: 'answerQuestion',
      summary: 'Answer a question; the first answer wins',
      role: 'approver',
      body: answerSchema,
      takesKey: true,
      handle: async (call) =>
        routeAnswer(
          await operations.answer(call.by, param(call, 'id'), call.body as WireAnswer, call.key),
          (value) => ok(value),
        ),
    },
  ];
}
