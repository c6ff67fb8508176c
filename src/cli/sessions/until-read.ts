import { setTimeout as sleep } from 'node:timers/promises';

/** As long as keys are ignored after a request takes the focus of a chat. */
const readMs = 300;

/**
 * Call it between a request and its prompt: on a terminal, lines that were typed before the request could be read
 * answer nothing. A pipe's lines were written for it.
 */
export async function untilRead(input: typeof process.stdin = process.stdin): Promise<void> {
  if (!input.isTTY) return;
  const drop = (data: Buffer | string) => {
    if (data.includes('\u0003')) process.kill(process.pid, 'SIGINT');
  };
  input.setRawMode(true);
  input.on('data', drop);
  try {
    await sleep(readMs);
  } finally {
    input.off('data', drop);
    input.pause();
    input.setRawMode(false);
  }
}
