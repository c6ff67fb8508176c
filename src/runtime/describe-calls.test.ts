import { expect, test } from 'vitest';

import type { CallFacts } from '../kernel/call.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import type { Tool, ToolContext } from '../ports/tool.ts';
import type { Capabilities } from './capabilities.ts';
import { describeCalls } from './describe-calls.ts';

test('[P3] a call of a new reply sees the facts of the calls before it, a call described again sees none', async () => {
  const seen: (readonly (readonly string[])[] | undefined)[] = [];
  const tool = {
    name: 'note',
    async describe(args: { path: string }, { earlier }: ToolContext): Promise<CallFacts> {
      const before = await earlier?.();
      seen.push(before?.map(({ paths = [] }) => paths.map(({ path }) => path)));
      const paths = [{ path: args.path, access: 'write', inside: true } as const];
      return { access: 'write', paths, repeat: 'never', order: 'exclusive', runs: 'tool' };
    },
  } as unknown as Tool;
  const capabilities = {
    tools: { get: () => tool },
    briefing: { roots: () => ['/work'] },
  } as unknown as Capabilities;
  const host = {
    state: { agent: { name: 'a' }, cwd: '/work', rules: [] },
    session: 'ses_1',
  } as unknown as EffectHost;
  const calls = ['a', 'b', 'c'].map((path) => ({ id: path, tool: 'note', args: JSON.stringify({ path }) }));
  await describeCalls(calls, host, capabilities, host.session, { areNew: true });
  expect(seen.splice(0)).toEqual([[], [['a']], [['a'], ['b']]]);
  await describeCalls(calls, host, capabilities, host.session);
  expect(seen).toEqual([undefined, undefined, undefined]);
});
