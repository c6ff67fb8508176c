/** Asks yes or no on the terminal. No answer is no. */
export async function agrees(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const reply = await Promise.race([lines.question(`${question} [y/N] `).catch(() => ''), ended]);
    return /^y(es)?$/i.test(reply.trim());
  } finally {
    lines.close();
  }
}
