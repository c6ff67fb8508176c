import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { Fault } from '../kernel/fault.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { ToolRun } from '../ports/tool.ts';
import { defineTool, type ToolAnswer } from './program-tool.ts';

function context(signal = new AbortController().signal): ToolRun {
  return {
    session: 'ses_1' as SessionId,
    effect: 'ses_1.1' as EffectId,
    epoch: 1,
    agent: 'a',
    cwd: '/',
    roots: ['/'],
    attempt: 1,
    signal,
    progress: () => undefined,
  };
}

const returning = (answer: ToolAnswer | Error) =>
  defineTool({
    name: 'give',
    description: 'Gives.',
    schema: z.object({}),
    run: () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });

describe("a program's tool", () => {
  test('C46: is guarded, alone and never repeated unless it says otherwise', async () => {
    expect(await returning('x').describe({}, context())).toEqual({
      access: 'execute',
      repeat: 'never',
      order: 'exclusive',
      runs: 'tool',
    });
    const reader = defineTool({
      name: 'look',
      description: 'Looks.',
      schema: z.object({ url: z.string() }),
      facts: ({ url }) => ({ access: 'network', urls: [url], repeat: 'safe' }),
      run: () => 'seen',
    });
    expect(await reader.describe({ url: 'https://example.org' }, context())).toEqual({
      access: 'network',
      urls: ['https://example.org'],
      repeat: 'safe',
      order: 'exclusive',
      runs: 'tool',
    });
  });

  test.for([
    ['a text', 'hello', { type: 'success', output: 'hello' }],
    ['nothing', undefined, { type: 'success', output: '' }],
    ['a value', { a: 1 }, { type: 'success', output: '{\n  "a": 1\n}', data: { a: 1 } }],
    ['a result', { type: 'error', code: 'x', message: 'y' }, { type: 'error', code: 'x', message: 'y' }],
    ['an exception', new Error('broken'), { type: 'error', code: 'tool-failed', message: 'give failed: broken' }],
  ] as const)('C30: may answer with %s', async ([, answer, result]) => {
    expect(await returning(answer).run({}, context())).toEqual(result);
  });

  test('lets a fault pass', async () => {
    await expect(returning(new Fault('network', 'gone')).run({}, context())).rejects.toThrow('gone');
  });

  test('takes a JSON Schema and checks by it', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] };
    const tool = defineTool({ name: 'count', description: 'Counts.', schema, run: ({ n }) => Number(n) });
    expect(tool.parameters).toBe(schema);
    expect(await tool.run({ n: 2 }, context())).toMatchObject({ output: '2' });
    expect(await tool.run({ n: 0 }, context())).toMatchObject({ type: 'error', code: 'invalid-arguments' });
  });
});
