import { describe, expect, test } from 'vitest';

import type { Rule } from '../kernel/rule.ts';
import { createScriptedModel } from '../models/scripted.ts';
import type { RondoOptions } from '../rondo.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createFakeIds } from '../testing/fake-ids.ts';
import { rondoOfTest } from '../testing/rondo-of-test.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import type { Worker } from './worker.ts';
import type { WhenRestricted } from './worker-permissions.ts';

const rondoWith = (options: Partial<RondoOptions> = {}) =>
  rondoOfTest(testingAgent({ ids: createFakeIds(), workers: { delegate: true }, ...options }));

const change = testTool('change', () => 'changed', { access: 'write' });
const allow = (tool: string): Rule => ({ verdict: 'allow', tool, origin: 'user' });

describe('[C44] what a worker may do', () => {
  const permissions = { allowed: ['ok'], restricted: ['asks'], forbidden: ['never'] };
  const tools = ['ok', 'asks', 'never', 'unknown'].map((name) => testTool(name, () => name, { access: 'write' }));

  test.each<[WhenRestricted, string, string]>([
    ['ask', 'ok', 'ran'],
    ['ask', 'asks', 'asked'],
    ['ask', 'unknown', 'asked'],
    ['ask', 'never', 'refused'],
    ['block', 'ok', 'ran'],
    ['block', 'asks', 'refused'],
    ['block', 'unknown', 'refused'],
    ['block', 'never', 'refused'],
    ['escalate', 'ok', 'ran'],
    ['escalate', 'asks', 'asked'],
    ['escalate', 'unknown', 'asked'],
    ['escalate', 'never', 'refused'],
  ])('%s: the tool %s is %s', async (whenRestricted, tool, expected) => {
    const rondo = await rondoWith({ tools });
    const worker = await rondo.workers.create('w', { permissions: { ...permissions, whenRestricted } });
    const job = await worker.run(`call ${tool} {}`);
    const asked = job.wait().then(() => false);
    const isAsked = await Promise.race([asked, untilAsked(worker).then(() => true)]);
    if (isAsked) await rondo.jobs.cancelAll();
    const { session } = await job.wait();
    const { events } = await (await rondo.sessions.open(session ?? '')).events({ after: 0, limit: 100 });
    const types = new Set(events.map(({ event }) => event.type));
    const seen = types.has('tool-run-intended') ? 'ran' : types.has('question-opened') ? 'asked' : 'refused';
    expect(seen).toBe(expected);
  });

  test('refuses a list without a valid rule, and names the text', async () => {
    const rondo = await rondoWith();
    await expect(rondo.workers.create('w', { permissions: { forbidden: ['shell(('] } })).rejects.toThrow(
      'The permissions of worker w: invalid rule "shell(("',
    );
  });
});

describe('[C44] [C45] escalation to the agent above', () => {
  const delegate = {
    calls: [{ tool: 'delegate', args: { workers: [{ name: 'child', objective: 'go', restricted: ['change'] }] } }],
  };
  const asks = { calls: [{ tool: 'change', args: {} }] };
  const decide = (decision: 'allow' | 'reject') => ({
    calls: [{ tool: 'decide', args: { question: 'q_0000000000020000006', decision, reason: 'not now' } }],
  });

  test('the call that waits comes back with the question, and `decide` lets it run once', async () => {
    const model = createScriptedModel([
      delegate,
      asks,
      decide('allow'),
      { text: 'child done' },
      { text: 'all done' },
    ]);
    const rondo = await rondoWith({ tools: [change], models: { testing: model } });
    const parent = await rondo.sessions.create({ rules: [allow('change')] });
    await parent.chat('go');
    model.verify();
    const { events } = await parent.events({ after: 0, limit: 100 });
    const results = events.flatMap(({ event }) => (event.type === 'tool-settled' ? [event.result] : []));
    expect(results).toMatchObject([
      {
        type: 'success',
        output: expect.stringContaining(
          '- q_0000000000020000006: child wants to use change. The session rule change asks about this.',
        ) as string,
      },
      { type: 'success', output: '## child: completed\nchild done' },
    ]);
    const [child] = (await rondo.sessions.list({ parent: parent.id })).entries;
    const answers = (await (await rondo.sessions.open(child?.session ?? '')).events({ after: 0, limit: 100 }))
      .events;
    expect(answers.filter(({ event }) => event.type === 'question-answered')).toMatchObject([
      { by: { type: 'agent', name: 'testing' }, event: { answer: { type: 'allow-once' } } },
    ]);
  });

  test("an agent can't grant what it would have to ask for itself", async () => {
    const model = createScriptedModel([
      delegate,
      asks,
      decide('allow'),
      decide('reject'),
      { text: 'ok' },
      { text: 'end' },
    ]);
    const rondo = await rondoWith({ tools: [change], models: { testing: model } });
    const parent = await rondo.sessions.create();
    await parent.chat('go');
    model.verify();
    const { events } = await parent.events({ after: 0, limit: 100 });
    const results = events.flatMap(({ event }) => (event.type === 'tool-settled' ? [event.result] : []));
    expect(results[1]).toEqual({
      type: 'error',
      code: 'not-decided',
      message: 'You may not allow this: No rule allows this, so a person decides. A person will be asked.',
    });
    expect(results[2]).toMatchObject({ type: 'success', output: '## child: completed\nok' });
  });

  test('after 120 s without a decision the question goes to the root, where people look', async () => {
    const clock = createFakeClock();
    const model = createScriptedModel([delegate, asks, { text: 'I do not know.' }]);
    const rondo = await rondoWith({ clock, tools: [change], models: { testing: model } });
    const parent = await rondo.sessions.create({ rules: [allow('change')] });
    await parent.chat('go');
    const asked = async () => {
      const { events } = await parent.events({ after: 0, limit: 100 });
      return events.flatMap(({ event }) =>
        event.type === 'worker-reported' && event.report.question !== undefined ? [event.report.text] : [],
      );
    };
    await clock.advance(119_000);
    expect(await asked()).toEqual([]);
    await clock.advance(2000);
    await expect.poll(asked).toEqual(['asks: approval of change']);
    await rondo.jobs.cancelAll();
  });
});

async function untilAsked(worker: Worker): Promise<void> {
  while ((await worker.status())?.state !== 'waiting') await new Promise((resolve) => setTimeout(resolve, 5));
}
