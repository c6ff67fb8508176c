/** The answer if it arrives in time, else `otherwise`: a person at the keyboard doesn't wait for a slow server. */
export async function answerWithin<Answer, Otherwise>(
  answer: Promise<Answer> | undefined,
  milliseconds: number,
  otherwise: Otherwise,
): Promise<Answer | Otherwise> {
  if (answer === undefined) return otherwise;
  const { promise: late, resolve } = Promise.withResolvers<Otherwise>();
  const timer = setTimeout(() => resolve(otherwise), milliseconds);
  try {
    return await Promise.race([answer.catch(() => otherwise), late]);
  } finally {
    clearTimeout(timer);
  }
}
