import type { SessionClient } from '../ports/session-client.ts';
import { misuse, sessionCommand } from './command.ts';

/** Enough to find the last answer of a turn with many calls. */
const mostItems = 200;

export const copy = sessionCommand({
  name: 'copy',
  parameters: [{ name: 'block' }],
  summary: 'copy the last answer, or its Nth code block',
  isForScreens: true,
  async run({ block }, { session }) {
    const answer = await lastAnswer(session);
    if (answer === undefined) return { type: 'refused', message: 'No answer to copy yet.' };
    if (block === undefined) return { type: 'copy', text: answer, what: 'the last answer' };
    const number = Number(block);
    if (!Number.isInteger(number) || number < 1)
      return misuse(`/copy takes the number of a code block, not "${block}"`);
    const text = codeBlocks(answer)[number - 1];
    if (text === undefined) return { type: 'refused', message: `The last answer has no code block ${number}.` };
    return { type: 'copy', text, what: `code block ${number}` };
  },
});

async function lastAnswer(session: SessionClient): Promise<string | undefined> {
  const { items } = await session.transcript({ limit: mostItems });
  const last = items.findLast((item) => item.type === 'message' || item.type === 'agent-message');
  return last?.type === 'message' || last?.type === 'agent-message' ? session.read(last.text) : undefined;
}

function codeBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm)].map(([, , code = '']) => code);
}
