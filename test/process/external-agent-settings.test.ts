/** An external agent's own modes and options, chosen during its session. */
import { describe, expect, test } from 'vitest';

import type { Session } from '../../src/rondo.ts';
import { eventsOf, open, reportsOf, until } from './hosted-scene.ts';
import { startTestServer } from './server-setup.ts';

const flags = ['--modes', '--options', '--load'];
const ada = { type: 'person', name: 'Ada' } as const;
const modes = ['ask', 'code', 'locked'].map((id) => ({
  id,
  name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
}));
const models = ['small', 'large'].map((id) => ({ id, name: `The ${id} one` }));
const settings = (mode: string, model: string, fast: boolean) => ({
  mode,
  modes,
  options: [
    { id: 'model', name: 'Model', category: 'model', value: model, choices: models },
    { id: 'fast', name: 'Fast', value: fast },
  ],
});

async function choose(session: Session, name: string, value: string | boolean) {
  const setting =
    name === 'mode'
      ? ({ type: 'mode', mode: String(value) } as const)
      : ({ type: 'option', option: name, value } as const);
  return session.send({ type: 'agent-setting', setting }, { by: ada });
}

async function settled(session: Session, count: number): Promise<void> {
  await until(`${count} settings are settled`, async () => {
    const events = await eventsOf(session);
    return events.filter(({ type }) => type === 'agent-setting-settled').length === count;
  });
}

describe("an external agent's own settings [A10]", () => {
  test('are reported, changed between turns and in the middle of one, and recorded with who did it', async () => {
    const { session } = await open({ flags });
    expect((await session.chat('mode\noptions')).text).toBe('ask{"model":"small","fast":false}');
    expect((await session.status()).agentSettings).toEqual(settings('ask', 'small', false));

    await choose(session, 'mode', 'code');
    await choose(session, 'fast', true);
    await settled(session, 2);
    const running = session.chat('wait 300\nwait 300\nmode\noptions\nask done');
    await until('the turn runs', async () => (await session.status()).lifecycle === 'running');
    await choose(session, 'model', 'large');
    await settled(session, 3);
    await running;

    expect((await session.status()).agentSettings).toEqual(settings('code', 'large', true));
    const { events } = await session.events({ after: 0, limit: 1000 });
    expect(
      events.flatMap(({ by, event }) => (event.type === 'agent-setting-chosen' ? [[by.name, event.setting]] : [])),
    ).toEqual([
      ['Ada', { type: 'mode', mode: 'code' }],
      ['Ada', { type: 'option', option: 'fast', value: true }],
      ['Ada', { type: 'option', option: 'model', value: 'large' }],
    ]);
    const said = (await reportsOf(session)).flatMap((report) => (report.type === 'message' ? [report.text] : []));
    expect(said.at(-1)).toMatch(/^code\{/);
  });

  test('are set again in the next process, also in a new session of the agent', async () => {
    const { session, rondo, start } = await open({ flags: ['--modes', '--options'], agent: { mode: 'ask' } });
    await session.chat('say hello');
    await choose(session, 'mode', 'code');
    await choose(session, 'model', 'large');
    await settled(session, 2);
    await rondo.close();

    const again = await (await start()).sessions.open(session.id);

    expect((await again.chat('mode\noptions')).text).toBe('code{"model":"large","fast":false}');
    expect((await again.status()).agentSettings).toEqual(settings('code', 'large', false));
  });

  test('may be chosen before the agent was ever started', async () => {
    const { session } = await open({ flags });
    await choose(session, 'mode', 'code');

    expect((await session.chat('mode')).text).toBe('code');
  });

  test('that the agent left by itself stay left', async () => {
    const { session, rondo, start } = await open({ flags: ['--modes', '--options'] });
    await session.chat('say hello');
    await choose(session, 'mode', 'code');
    await settled(session, 1);
    await session.chat('be ask');
    await rondo.close();

    const again = await (await start()).sessions.open(session.id);

    expect((await again.chat('mode')).text).toBe('ask');
  });

  test("that it doesn't offer are refused; one it rejects is reported", async () => {
    const { session } = await open({ flags });
    await session.chat('say hello');

    expect(await choose(session, 'mode', 'fly')).toEqual({
      type: 'refused',
      refusal: { code: 'invalid', message: 'agent fixture has no mode fly; it offers ask, code, locked' },
    });
    await choose(session, 'mode', 'locked');
    await settled(session, 1);

    const { items } = await session.transcript({});
    expect(items.flatMap((item) => (item.type === 'notice' ? [item.about] : []))).toEqual([
      { type: 'agent-setting-chosen', setting: { type: 'mode', mode: 'locked' } },
      { type: 'agent-notice', severity: 'warning', text: 'fixture did not take the mode locked: it is locked' },
    ]);
    expect((await session.status()).agentSettings?.mode).toBe('ask');
  });

  test('are read and changed over HTTP, by those who may approve', async () => {
    const { rondo, session } = await open({ flags });
    await session.chat('say hello');
    await using test = await startTestServer({ server: { backend: rondo } });
    const path = `/api/v1/sessions/${session.id}/agent-settings`;

    expect((await test.call('GET', path)).body).toEqual({ agent: 'fixture', ...settings('ask', 'small', false) });
    const prompter = await test.token('prompter');
    const wanted = { type: 'option', option: 'model', value: 'large' };
    expect((await test.call('PUT', path, wanted, { token: prompter })).status).toBe(403);
    expect((await test.call('PUT', path, wanted)).status).toBe(202);
    await settled(session, 1);
    expect((await test.call('GET', path)).body).toEqual({ agent: 'fixture', ...settings('ask', 'large', false) });
    const refused = await test.call('PUT', path, { type: 'option', option: 'model', value: 'huge' });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      422,
      expect.stringContaining('the option model of agent fixture cannot be huge; it offers small, large'),
    ]);
  });
});

test('[A3] tool calls that the agent reports stop the turn at their limit', async () => {
  const { session } = await open({ limits: { toolCalls: 2 } });

  const reply = await session.chat('tool a read One\ntool a read Again\ntool b read Two\ntool c read Three\nhang');

  expect([reply.outcome, (await session.status()).usage.toolCalls]).toEqual(['limit', 2]);
});
