import type { SessionId } from '../../src/kernel/ids.ts';
import type { ServedRondo } from './served-rondo.ts';

interface AskedQuestion {
  readonly id: string;
  readonly session: string;
  readonly about?: { readonly type: string };
}

/** Answers open questions: calls may run; effects that may have happened must not be repeated. Returns their number. */
export async function answerOpen(server: Pick<ServedRondo, 'get' | 'post'>, session?: SessionId): Promise<number> {
  const { questions } = await server.get<{ readonly questions: readonly AskedQuestion[] }>('/questions');
  const open = questions.filter((one) => session === undefined || one.session === session);
  for (const { id, about } of open) {
    const choice = about?.type === 'repeat' ? 'reject' : 'allow-once';
    // Someone else answered first, or its turn is over.
    await server.post(`/questions/${id}/answer`, { choice }).catch(() => undefined);
  }
  return open.length;
}
