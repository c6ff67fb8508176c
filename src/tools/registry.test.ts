import { describe, expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import type { ToolContext } from '../ports/tool.ts';
import { testTool } from '../testing/test-tool.ts';
import { createToolRegistry } from './registry.ts';

const context: ToolContext = { session: 'ses_1' as SessionId, agent: 'a', cwd: '/', roots: ['/'] };
const look = testTool('look', () => 'seen');
const touch = testTool('touch', () => 'done', { access: 'write' });

describe('the registry', () => {
  test('lists specs for all, none and only some tools', () => {
    const registry = createToolRegistry([look, touch]);
    const names = (...access: Parameters<typeof registry.list>) =>
      registry.list(...access).map(({ name }) => name);
    expect(names()).toEqual(['look', 'touch']);
    expect(names('none')).toEqual([]);
    expect(names({ only: ['touch', 'other'] })).toEqual(['touch']);
    expect(registry.list({ only: ['look'] })).toEqual([
      { name: 'look', description: 'The test tool look.', parameters: { type: 'object' } },
    ]);
  });

  test('keeps names unique', () => {
    const registry = createToolRegistry([look]);
    expect(registry.add(testTool('look', () => 'another'))).toBe('name-taken');
    expect(registry.add(testTool('two words', () => ''))).toBe('bad-name');
    expect(registry.get('look')).toBe(look);
    expect(registry.remove('look')).toBe(true);
    expect(registry.add(testTool('look', () => 'another'))).toBe('added');
    expect(() => createToolRegistry([look, look])).toThrow('Broken invariant');
  });

  test('describes a call', async () => {
    const registry = createToolRegistry([look]);
    expect(await registry.describeCall('look', '{"at":1}', context)).toEqual({
      facts: { access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool' },
      args: { at: 1 },
    });
    expect((await registry.describeCall('look', '', context)).args).toEqual({});
  });

  test('C46: whatever keeps a call from being described is a problem in its facts', async () => {
    const registry = createToolRegistry(
      [
        { ...look, name: 'throws', describe: () => Promise.reject(new Error('no idea')) },
        { ...look, name: 'raises', describe: () => JSON.parse('{') as never },
        { ...look, name: 'hangs', describe: () => new Promise(() => undefined) },
        look,
      ],
      { describeMs: 20 },
    );
    const problem = async (name: string, args = '{}') =>
      (await registry.describeCall(name, args, context)).facts.problem;
    expect(await problem('Look')).toEqual({
      code: 'unknown-tool',
      message: 'There is no tool "Look". Did you mean look?',
    });
    expect(await problem('look', '{"at":')).toMatchObject({ code: 'invalid-json' });
    expect(await problem('look', '[1]')).toMatchObject({ code: 'invalid-json' });
    expect(await problem('throws')).toMatchObject({ code: 'describe-failed' });
    expect(await problem('raises')).toMatchObject({ code: 'describe-failed' });
    expect(await problem('hangs')).toMatchObject({ code: 'describe-failed' });
  });
});
