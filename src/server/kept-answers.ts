/**
 * Answers by idempotency key, for what has no journal yet to keep the key in. Kept in memory and bounded:
 * the oldest are forgotten.
 */
export interface KeptAnswers<Answer> {
  /** The first answer to the key, made now or before; undefined where the key was used for something else. */
  once(key: string, digest: string, make: () => Promise<Answer>): Promise<Answer> | undefined;
}

export function createKeptAnswers<Answer>(most = 10_000): KeptAnswers<Answer> {
  const kept = new Map<string, { readonly digest: string; readonly answer: Promise<Answer> }>();
  return {
    once(key, digest, make) {
      const before = kept.get(key);
      if (before !== undefined) return before.digest === digest ? before.answer : undefined;
      const answer = make();
      kept.set(key, { digest, answer });
      answer.catch(() => kept.delete(key));
      const oldest = kept.keys().next().value;
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return answer;
    },
  };
}
