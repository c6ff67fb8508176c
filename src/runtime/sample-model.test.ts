import { expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Rule } from '../kernel/rule.ts';
import { createTestingModel } from '../models/testing-model.ts';
import type { Tool } from '../ports/tool.ts';
import { createRondo } from '../rondo.ts';
import { testTool } from '../testing/test-tool.ts';

/** A tool that uses the model as an MCP server does, as often as it is told. */
const thinker: Tool = {
  ...testTool('think', () => ''),
  async run(args, { sample }) {
    const { times = 1, text = 'say a thought' } = args as { times?: number; text?: string };
    const heard: string[] = [];
    for (let count = 0; count < times; count += 1) {
      const messages = [{ role: 'user', text }] as const;
      const sampled = await sample?.({ server: 'docs', messages, maxTokens: 50 });
      heard.push(sampled?.type === 'completed' ? sampled.text : (sampled?.message ?? 'none'));
    }
    return { type: 'success', output: heard.join('\n').slice(-300) };
  },
};

async function run(
  call: string,
  { rules = [], limits = {}, mode = 'interactive' }: Partial<Scene> = {},
  managed: readonly Rule[] = [],
) {
  const rondo = await createRondo({
    store: createMemoryStore(),
    agents: { testing: { model: 'testing' } },
    models: { testing: createTestingModel() },
    tools: [thinker],
    managed: { rules: managed, limits: {} },
  });
  const think: Rule = { verdict: 'allow', tool: 'think', origin: 'flag' };
  const session = await rondo.sessions.create({ agent: 'testing', rules: [think, ...rules], limits, mode });
  const reply = await session.chat(`call think ${call}\nsay done`);
  const settled = async () =>
    (await session.events({ after: 0 })).events.flatMap(({ event }) =>
      event.type === 'tool-settled' ? [{ result: event.result, sampled: event.sampled }] : [],
    )[0];
  return { session, reply, settled, [Symbol.asyncDispose]: () => rondo.close() };
}

interface Scene {
  readonly rules: readonly Rule[];
  readonly limits: Partial<Limits>;
  readonly mode: 'interactive' | 'batch';
}

const rule = (verdict: Rule['verdict'], pattern = 'docs'): Rule => ({
  verdict,
  tool: 'sampling',
  pattern,
  origin: 'flag',
});

test('[C140] a server uses the model under a rule, and its usage is charged with the call', async () => {
  await using world = await run('{"times":2}', { rules: [rule('allow')] });
  expect(await world.settled()).toEqual({
    result: { type: 'success', output: 'a thought\na thought' },
    sampled: { model: 'testing', usage: { inputTokens: 8, outputTokens: 6, cost: 0, estimated: true } },
  });
  const [{ usage }, report] = await Promise.all([world.session.status(), world.session.usage()]);
  expect(report.totals).toMatchObject({ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens });
});

test('[C140] without a rule a person is asked each time, with the text and the most that it costs', async () => {
  await using world = await run('{}');
  const [question] = (await world.session.status()).questions;
  expect(question?.about).toMatchObject({
    type: 'form',
    title: 'MCP server docs wants to use your model for up to 50 tokens: say a thought',
    permits: true,
  });
  await world.session.answer(question?.id ?? '', { type: 'form', form: { allow: 'once' } });
  await world.session.wait();
  expect((await world.settled())?.result).toEqual({ type: 'success', output: 'a thought' });

  await using declined = await run('{}');
  const [asked] = (await declined.session.status()).questions;
  await declined.session.answer(asked?.id ?? '', { type: 'reject' });
  await declined.session.wait();
  expect(await declined.settled()).toEqual({
    result: { type: 'success', output: 'A person declined it.' },
    sampled: undefined,
  });
});

test.each([
  ['a rule for another server', '{}', { rules: [rule('allow', 'other')], mode: 'batch' }, 'nobody can be asked'],
  ['a rule on commands', '{}', { rules: [{ ...rule('allow', '*'), tool: 'shell' }], mode: 'batch' }, 'nobody can'],
  ['a denial', '{}', { rules: [rule('allow'), rule('deny')] }, 'denies this'],
  ['a ninth time in one call', '{"times":9}', { rules: [rule('allow')] }, 'One call may use the model 8 times.'],
  ['a failing provider', '{"text":"fail gone"}', { rules: [rule('allow')] }, 'gone'],
] as const)('[C140] %s is refused', async (_, call, scene, why) => {
  await using world = await run(call, scene);
  const settled = await world.settled();
  expect(settled?.result.type === 'success' && settled.result.output).toContain(why);
});

test('[C139] [C140] a managed denial holds', async () => {
  const managed: Rule = { verdict: 'deny', tool: 'sampling', origin: 'managed' };
  await using world = await run('{}', { rules: [rule('allow')] }, [managed]);
  expect((await world.settled())?.result).toEqual({
    type: 'success',
    output: 'The managed rule sampling denies this. Only an administrator can change it.',
  });
});

test('[C140] the budget of the session holds for the server too', async () => {
  const call = JSON.stringify({ times: 3, text: `say ${'word '.repeat(1_000)}` });
  await using world = await run(call, { rules: [rule('allow')], limits: { tokens: 6_000 } });
  const settled = await world.settled();
  expect(settled?.result.type === 'success' && settled.result.output).toContain(
    'The next model call was not sent',
  );
  expect(settled?.sampled?.usage.inputTokens).toBeLessThan(6_000);
});
