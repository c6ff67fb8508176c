// [S16] A hosted agent that lies about its calls, and one that floods or breaks the connection.
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { eventsOf, open, questionOf, reportsOf, rule, until } from './hosted-scene.ts';

const once = { optionId: 'once', name: 'Allow', kind: 'allow_once' };
const no = { optionId: 'no', name: 'Reject', kind: 'reject_once' };

function asking(toolCall: object, options: readonly object[] = [once, no]): string {
  return `request session/request_permission ${JSON.stringify({ toolCall: { toolCallId: 'c1', ...toolCall }, options })}`;
}

describe('a request for permission [S16]', () => {
  test.for(['think', 'read', 'search'])(
    'of the kind %s that names a command is one for the command',
    async (kind) => {
      const { session } = await open();
      await session.chat(asking({ kind, title: 'Look around', rawInput: { command: 'rm -rf build' } }));
      const [question] = (await session.status()).questions;
      expect(question?.about).toMatchObject({ type: 'approval', tool: 'shell' });
      await session.answer(question?.id ?? '', { type: 'reject' });
      expect((await session.wait()).text).toContain('"optionId":"no"');
    },
  );

  test.for(['think', 'read', 'search', 'fetch'])(
    'of the kind %s that holds a diff is one for the change',
    async (kind) => {
      const { session, cwd } = await open();
      const content = [{ type: 'diff', path: path.join(cwd, 'a.txt'), oldText: 'a', newText: 'b' }];
      await session.chat(asking({ kind, title: 'Look around', content }));
      const [question] = (await session.status()).questions;
      expect(question?.about).toMatchObject({ type: 'approval', tool: 'edit' });
    },
  );

  test('with one id for a yes and a no is refused, and nothing runs after a no', async () => {
    const { session, cwd } = await open();
    const options = [
      { optionId: 'x', name: 'Allow', kind: 'allow_once' },
      { optionId: 'x', name: 'Reject', kind: 'reject_once' },
    ];
    const command = 'touch marker';
    const running = session.chat(
      `${asking({ kind: 'execute', rawInput: { command } }, options)}\nterminal-line ${command}`,
      { whenAsked: 'wait' },
    );
    const id = await questionOf(session);
    await session.answer(id, { type: 'reject' });
    await running;
    expect(existsSync(path.join(cwd, 'marker'))).toBe(false);
    expect((await session.wait()).text).toContain('error');
  });

  test('after a cancel is cancelled and leaves no question', async () => {
    const { session } = await open();
    const running = session.chat('say begun\nask-late make\nslow-cancel 100');
    await until('it has begun', async () => (await reportsOf(session)).length > 0);
    await sleep(200);
    await session.interrupt();
    expect((await running).outcome).toBe('cancelled');
    expect((await session.status()).questions).toEqual([]);
    expect((await eventsOf(session)).filter(({ type }) => type === 'question-opened')).toEqual([]);
  });
});

test('[S16] a request in the name of another session is refused, one that names none is served', async () => {
  const { session, cwd } = await open({ rules: [rule('allow', 'write')] });
  const write = (sessionId: unknown) => {
    const content = `of ${String(sessionId)}`;
    return `request fs/write_text_file ${JSON.stringify({ sessionId, path: path.join(cwd, 'a.txt'), content })}`;
  };
  const { text } = await session.chat(`${write('another')}\n${write(7)}`);
  expect(text.match(/This isn't the session that Rondo opened/g)).toHaveLength(2);
  expect(existsSync(path.join(cwd, 'a.txt'))).toBe(false);
  const foreign = { sessionId: 'another', toolCall: { toolCallId: 'c1' }, options: [once, no] };
  const asked = await session.chat(`request session/request_permission ${JSON.stringify(foreign)}`);
  expect([asked.outcome, (await session.status()).questions]).toEqual(['completed', []]);
  expect((await session.chat(write(null))).text).not.toContain('error');
  expect(existsSync(path.join(cwd, 'a.txt'))).toBe(true);
});

test('[S16] a file is reached through no link out of the folder', async () => {
  const { session, cwd } = await open({ rules: [rule('allow', 'write'), rule('allow', 'read')] });
  const outside = path.join(cwd, '../outside.txt');
  await writeFile(outside, 'secret');
  await symlink(outside, path.join(cwd, 'file'));
  await symlink('..', path.join(cwd, 'folder'));
  const reply = await session.chat(
    ['read file', 'read folder/outside.txt', 'write file changed', 'write folder/new.txt changed'].join('\n'),
    { whenAsked: 'return' },
  );
  expect(reply.text).not.toContain('secret');
  expect(reply.text).not.toMatch(/(?<!not )written/);
  expect(existsSync(path.join(cwd, '../new.txt'))).toBe(false);
});

describe('messages that break what reads them [C88]', () => {
  const depth = 200_000;
  test.for([
    [
      'an update',
      '{"method":"session/update","params":{"update":{"sessionUpdate":"config_option_update","configOptions":[<[]>]}}}',
    ],
    ['an answer to nothing', '{"id":"x","result":<[]>}'],
    ['a request', '{"id":<[]>,"method":"session/request_permission"}'],
    [
      'what a request holds',
      '{"id":7,"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":<[]>}}',
    ],
    [
      'a call',
      '{"id":7,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c","kind":"fetch","rawInput":<[]>},"options":[]}}',
    ],
  ] as const)('%s that is nested very deep harms nobody', async ([, line]) => {
    const { session } = await open();
    expect((await session.chat(`nested ${depth} ${line}\nwait 200\nsay fine`)).text).toBe('fine');
  });

  test("bytes that aren't UTF-8 are replaced", async () => {
    const { session } = await open();
    const update = (text: string) =>
      `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${text}"}}}}\n`;
    const [before = '', after = ''] = update('|').split('|');
    const bytes = Buffer.concat([Buffer.from(`${before}a`), Buffer.from([0xff, 0xc3]), Buffer.from(`b${after}`)]);
    expect((await session.chat(`bytes ${bytes.toString('hex')}\nsay fine`)).text).toBe('a\u{fffd}\u{fffd}bfine');
  });

  test('a flood between turns is kept up to a limit, and the loss is noted', async () => {
    const { session, cwd } = await open();
    await session.chat('flood 40 1000000');
    await until('all is sent', () => existsSync(path.join(cwd, 'flooded')));
    await sleep(200);
    const reply = await session.chat('say fine');
    expect(reply.text.endsWith('fine')).toBe(true);
    expect(reply.text.length).toBeLessThan(5_000_000);
    const notices = (await reportsOf(session)).flatMap((report) =>
      report.type === 'notice' ? [report.text] : [],
    );
    expect(notices).toEqual([expect.stringMatching(/^fixture sent \d+ updates between turns that weren’t kept/)]);
  });

  test('an endless turn is stopped', async () => {
    const { session } = await open({ settings: { turnBytes: 1_000_000 } });
    const reply = await session.chat('chunks 100 20000\nhang');
    expect(reply).toMatchObject({
      outcome: 'failed',
      reason: 'Agent fixture was stopped: it sent more than one turn may hold. Prompt it again to continue.',
    });
    expect((await session.chat('say fine')).text).toContain('fine');
  });

  test('endless lists are cut', async () => {
    const { session } = await open();
    const entries = Array.from({ length: 20_000 }, () => ({ content: 'y'.repeat(100), status: 'pending' }));
    const commands = Array.from({ length: 20_000 }, (_, at) => ({ name: `c${at}`, description: 'z'.repeat(100) }));
    await session.chat(
      [
        `update ${JSON.stringify({ sessionUpdate: 'plan', entries })}`,
        `update ${JSON.stringify({ sessionUpdate: 'available_commands_update', availableCommands: commands })}`,
      ].join('\n'),
    );
    for (const report of await reportsOf(session)) expect(JSON.stringify(report).length).toBeLessThan(200_000);
  });
});
