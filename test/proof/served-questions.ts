import type { SessionId } from '../../src/kernel/ids.ts';
import type { ServedRondo } from './served-rondo.ts';

interface AskedQuestion {
  readonly id: string;
  readonly session: string;
  readonly about?: { readonly type: string };
}

/** Answers what is asked: calls may run; what may have happened already must not happen again. How many there were. */
export async function answerOpen(server: ServedRondo, session?: SessionId): Promise<number> {
  const { questions } = await server.get<{ readonly questions: readonly AskedQuestion[] }>('/questions');
  const open = questions.filter((one) => session === undefined || one.session === session);
  for (const { id, about } of open) {
    const choice = about?.type === 'repeat' ? 'reject' : 'allow-once';
    // Somebody may have been faster, or its turn is over.
    await server.post(`/questions/${id}/answer`, { choice }).catch(() => undefined);
  }
  return open.length;
}
