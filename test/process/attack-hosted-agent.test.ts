// [S16] What a hosted agent could exploit: a mode it forgets, an environment nobody judged.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { eventsOf, open, rule } from './hosted-scene.ts';

describe('a configured mode [S16]', () => {
  test.each([
    ['loaded', ['--load']],
    ['resumed', ['--resume']],
    ['replaced', []],
  ])('is set again before the first prompt of a session that is %s', async (how, flags) => {
    const { session, rondo, start } = await open({
      flags: ['--modes', '--forget-mode', ...flags],
      agent: { mode: 'code' },
    });
    expect((await session.chat('mode')).text).toBe('code');
    await rondo.close();

    const again = await (await start()).sessions.open(session.id);
    expect((await again.chat('mode')).text).toBe('code');
    const opened = (await eventsOf(again)).flatMap((event) =>
      event.type === 'agent-reported' && event.report.type === 'session' ? [event.report.how] : [],
    );
    expect(opened).toEqual(['started', how]);
  });

  test('that the agent refuses keeps it from being prompted', async () => {
    const { session } = await open({ flags: ['--modes'], agent: { mode: 'locked' } });
    const reply = await session.chat('say I act anyway');
    expect([reply.outcome, reply.text]).toEqual(['unavailable', '']);
    const endings = (await eventsOf(session)).flatMap((event) =>
      event.type === 'turn-ended' ? [event.ending] : [],
    );
    expect(endings).toEqual([
      {
        type: 'failed',
        code: 'agent-unavailable',
        message:
          "Agent fixture did not take its configured mode locked, so it isn't prompted. Correct its mode in the configuration.",
      },
    ]);
  });
});

describe("an agent's terminal [S16]", () => {
  test('with an environment that changes what a program does is asked about, whatever the rules allow of it', async () => {
    const { session, cwd } = await open({
      rules: [rule('allow', 'shell(git status*)'), rule('allow', 'shell(ls*)')],
    });
    const marker = path.join(cwd, 'marker');
    const bin = path.join(cwd, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'ls'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const reply = await session.chat(`terminal-env PATH=${bin}:/usr/bin:/bin ls`);
    expect(reply.outcome).toBe('needs-input');
    const [question] = (await session.status()).questions;
    expect(question?.about).toMatchObject({
      type: 'approval',
      tool: 'shell',
    });
    await session.answer(question?.id ?? '', { type: 'reject' });
    await session.wait();
    expect(existsSync(marker)).toBe(false);
  });

  test('with a harmless environment runs as the rules allow', async () => {
    const { session } = await open({ rules: [rule('allow', 'shell(env*)')] });
    expect((await session.chat('terminal-env CI=yes env')).text).toContain('CI=yes');
  });

  test('is run by the shell that judged it', async () => {
    const { session } = await open({ rules: [rule('allow', 'shell(echo *)'), rule('allow', 'shell([[ *)')] });
    const reply = await session.chat('terminal-line echo $BASH_VERSION');
    expect(reply.text).toMatch(/"output":"\d+\.\d+/);
  });
});

describe("an agent's fetch [S18]", () => {
  test('of an address that the person wrote runs under a rule; one that the agent composed is asked about', async () => {
    const { session } = await open({ rules: [rule('allow', 'web_fetch(https://docs.test/*)')] });
    expect((await session.chat('fetch https://docs.test/guide')).text).toBe('once');
    const reply = await session.chat('fetch-with-secret https://docs.test/guide');
    expect(reply.outcome).toBe('needs-input');
    const [question] = (await session.status()).questions;
    expect(question?.about).toMatchObject({
      type: 'approval',
      tool: 'web_fetch',
      rule: 'composed-url',
      reason: 'The model composed this address; it can carry data out: https://docs.test/guide?q=secret',
    });
    await session.answer(question?.id ?? '', { type: 'reject' });
    await session.wait();
  });
});
