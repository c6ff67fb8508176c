/**
 * Sends inputs that are too large for a WebSocket message over HTTP, until the server takes or refuses them. All
 * retries use one key.
 */
import type { WireInput } from '../../../src/protocol/input-schema.ts';
import { callApi } from './api.ts';

const largestMessage = 700_000;
const longestPauseMs = 5000;

export function isLarge(input: WireInput): boolean {
  if (input.type !== 'chat') return false;
  const { text, attachments = [] } = input;
  return attachments.reduce((sum, { content }) => sum + content.length, text.length) > largestMessage;
}

export async function sendLarge(session: string, input: WireInput, key: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await callApi('POST', `/sessions/${session}/inputs`, { body: input, key });
    if (answer.type === 'ok') return;
    if (answer.code !== 'UNREACHABLE') throw new Error(answer.message);
    await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 1000, longestPauseMs)));
  }
}
