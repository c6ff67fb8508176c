import { expect, test } from 'vitest';

import { parseRule } from '../../kernel/rule.ts';
import { createTestingModel } from '../../models/testing-model.ts';
import { createRondo } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { createAgentSessions } from './agent-sessions.ts';

const allowLook = parseRule('look', 'allow', 'agent');

async function twoAgents(store: string) {
  return createRondo({
    store,
    agents: {
      ada: { model: 'testing', prompt: 'You are Ada.', rules: allowLook === undefined ? [] : [allowLook] },
      bob: { model: 'testing', prompt: 'You are Bob.', mode: 'batch' },
    },
    models: { testing: createTestingModel() },
    tools: [testTool('look', () => 'seen', { access: 'write' })],
  });
}

test('[C11] going from one agent to another and back finds history, mode and policy of each', async () => {
  await using rondo = await twoAgents('memory:');
  const talk = createAgentSessions(rondo.sessions, {
    agent: 'ada',
    session: await rondo.sessions.create({ agent: 'ada' }),
  });
  const texts: string[] = [];
  const say = async (text: string) => texts.push(`${talk.agent}: ${(await talk.session.chat(text)).text}`);

  await say('hello');
  await say('call look {}');
  await talk.switchTo('bob');
  await say('hello');
  await say('call look {}');
  const bob = talk.session;
  await talk.switchTo('ada');
  await say('call look {}');
  expect(texts).toEqual([
    'ada: You said: hello',
    'ada: look (success): seen',
    'bob: You said: hello',
    'bob: look (refused): No rule allows this and nobody can be asked in this mode.',
    'ada: look (success): seen',
  ]);
  const [ada, other] = [await talk.session.status(), await bob.status()];
  expect([ada.agent, ada.mode, ada.usage.turns]).toEqual(['ada', 'interactive', 3]);
  expect([other.agent, other.mode, other.usage.turns, other.parent]).toEqual(['bob', 'batch', 2, ada.session]);
});

test('[C11] an unknown agent is an error that names it, and one stays where one was', async () => {
  await using rondo = await twoAgents('memory:');
  const session = await rondo.sessions.create({ agent: 'ada' });
  const talk = createAgentSessions(rondo.sessions, { agent: 'ada', session });
  await expect(talk.switchTo('eve')).rejects.toThrow('unknown agent eve; use one of ada, bob');
  expect([talk.agent, talk.session]).toEqual(['ada', session]);
});

test('[C11] the first session, reopened, still has the others', async () => {
  await using rondo = await twoAgents('memory:');
  const first = await rondo.sessions.create({ agent: 'ada' });
  await first.chat('hello');
  const bob = await createAgentSessions(rondo.sessions, { agent: 'ada', session: first }).switchTo('bob');
  await bob.chat('remember this');
  const again = await createAgentSessions(rondo.sessions, { agent: 'ada', session: first }).switchTo('bob');
  expect(again.id).toBe(bob.id);
});
