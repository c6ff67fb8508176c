import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { estimateShown, outputBounds } from '../../kernel/content.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import { toPrompt } from '../../models/messages.ts';
import type { ToolRun } from '../../ports/tool.ts';
import { createRecallTool } from './recall-tool.ts';

const ref = 'b1'.repeat(32) as BlobHash;
const run = { signal: new AbortController().signal } as ToolRun;

/** The part of an output that a provider receives. */
async function shownOf(text: string): Promise<string> {
  const body = { blob: ref, length: text.length, preview: text.slice(0, 1024) };
  const call = { id: 'c1' as never, tool: 'look', args: '{}' };
  const prompt = await toPrompt({
    system: '',
    messages: [
      { role: 'user', text: 'look' },
      { role: 'assistant', text: '', calls: [call] },
      { role: 'tool', call: call.id, tool: 'look', outcome: 'success', text: body },
    ],
    read: async () => text,
  });
  const [part] = (prompt.at(-1)?.content ?? []) as readonly { output: { value: string } }[];
  return part?.output.value ?? '';
}

/** Both ends, and the middle read through the ref piece by piece, as a model would. */
async function readWhole(text: string, length: number): Promise<string> {
  const tool = createRecallTool({ read: async (asked) => (asked === ref ? text : undefined) });
  let whole = '';
  while (whole.length < text.length) {
    const result = await tool.run({ ref, from: whole.length, length }, run);
    if (result.type !== 'success' || typeof result.output !== 'string') throw new Error(JSON.stringify(result));
    whole += result.output.replace(/\n\[\d+ characters follow, from \d+ on\]$/, '');
  }
  return whole;
}

test('[C118][P10] the shown part of an output is bounded, and the rest can be read by its ref', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120_000 }),
      fc.integer({ min: 2000, max: 20_000 }),
      async (size, length) => {
        const text = Array.from({ length: Math.ceil(size / 6) }, (_, index) => `${index}`.padStart(6, '.'))
          .join('')
          .slice(0, size);
        const output = await shownOf(text);
        const bound = outputBounds.start + outputBounds.end;
        expect(output.length).toBeLessThanOrEqual(bound + 200);
        expect(estimateShown(text)).toBeLessThanOrEqual(bound / 2);
        expect(output === text).toBe(size <= bound);
        expect(output.includes(ref)).toBe(size > bound);
        expect(await readWhole(text, length)).toBe(text);
      },
    ),
    {
      numRuns: 40,
      seed: 20_261_117,
      // The longest output shown in full, and the shortest that isn't.
      examples: [0, 1].map((more) => [outputBounds.start + outputBounds.end + more, 2000]),
    },
  );
});

test('[C118] reads as much as was asked for, and names where the rest begins', async () => {
  const tool = createRecallTool({ read: async () => 'abcdefgh' });
  expect(await tool.run({ ref, from: 1, length: 3 }, run)).toEqual({
    type: 'success',
    output: 'bcd\n[4 characters follow, from 4 on]',
  });
  expect(await tool.run({ ref, from: 5, length: 3 }, run)).toEqual({ type: 'success', output: 'fgh' });
});

test('[C118] a missing output, and a start beyond the end, are reported', async () => {
  const tool = createRecallTool({ read: async (asked) => (asked === ref ? 'short' : undefined) });
  expect(await tool.run({ ref: 'nothing-there' }, run)).toMatchObject({ type: 'error', code: 'not-found' });
  expect(await tool.run({ ref, from: 9 }, run)).toMatchObject({
    type: 'error',
    message: 'The text has only 5 characters, so 9 is past its end.',
  });
});
