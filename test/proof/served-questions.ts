import type { SessionId } from '../../src/kernel/ids.ts';
import type { ServedRondo } from './served-rondo.ts';

interface AskedQuestion {
  readonly id: string;
  readonly session: string;
  readonly about?: { readonly type: string };
}

/**
 * Answers open questions: calls may run; effects that may have happened must not be repeated, unless they harm nobody.
 * Returns their number.
 */
export async function answerOpen(
  server: Pick<ServedRondo, 'get' | 'post'>,
  session?: SessionId,
  { repeat = 'reject' }: { readonly repeat?: 'reject' | 'allow-once' } = {},
): Promise<number> {
  const { questions } = await server.get<{ readonly questions: readonly AskedQuestion[] }>('/questions');
  const open = questions.filter((one) => session === undefined || one.session === session);
  for (const { id, about } of open) {
    const choice = about?.type === 'repeat' ? repeat : 'allow-once';
    // Someone else answered first, or its turn is over.
    await server.post(`/questions/${id}/answer`, { choice }).catch(() => undefined);
  }
  return open.length;
}
