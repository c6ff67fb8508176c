/** [C143] Agents that need a login: their methods are a question, and the turn continues. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { Session } from '../../src/rondo.ts';
import { eventsOf, open, questionOf, reportsOf, until } from './hosted-scene.ts';

async function nextQuestion(session: Session, title: string) {
  await until(`a question: ${title}`, async () => {
    const { questions } = await session.status();
    return questions.some(({ about }) => about.type === 'form' && about.title.includes(title));
  });
  const [question] = (await session.status()).questions;
  if (question?.about.type !== 'form') throw new Error('no form');
  return { id: question.id, about: question.about };
}

test.for([
  ['browser', 'Log in'],
  ['code', 'Enter the code AB-12'],
] as const)(
  '[C143] with the method %s the person acts at a URL, and the turn continues',
  async ([method, title]) => {
    const { session } = await open({ flags: ['--login', 'browser,code'] });
    const running = session.chat('say hi', { whenAsked: 'wait' });
    const first = await nextQuestion(session, 'needs you to log in');
    expect(first.about.schema).toEqual({
      type: 'object',
      properties: {
        method: {
          type: 'string',
          oneOf: [
            { const: 'browser', title: 'In the browser: Opens a page' },
            { const: 'code', title: 'With a code' },
          ],
        },
      },
      required: ['method'],
    });
    await session.answer(first.id, { type: 'form', form: { method } });
    const second = await nextQuestion(session, title);
    expect(second.about.url).toBe('https://example.org/login');
    await session.answer(second.id, { type: 'allow-once' });
    expect(await running).toMatchObject({ outcome: 'completed', text: 'hi' });
  },
);

test('[C143] a login in a terminal shows the command, and continues once it is done', async () => {
  const { session, cwd } = await open({ flags: ['--login', 'terminal'] });
  const running = session.chat('say hi', { whenAsked: 'wait' });
  const first = await nextQuestion(session, 'needs you to log in');
  await session.answer(first.id, { type: 'form', form: { method: 'terminal' } });
  const second = await nextQuestion(session, 'Run this in a terminal');
  expect(second.about.title).toMatch(/: LOGIN=1 .*acp-agent\/main\.ts .*--log-in$/);
  const state = path.join(cwd, '../state');
  await mkdir(state, { recursive: true });
  await writeFile(path.join(state, 'logged-in'), '');
  await session.answer(second.id, { type: 'form', form: { next: 'done' } });
  expect(await running).toMatchObject({ outcome: 'completed', text: 'hi' });
});

test('[C143] declined, the turn fails and names the methods; a configured method asks nobody', async () => {
  const { session } = await open({ flags: ['--login', 'browser'] });
  const running = session.chat('say hi', { whenAsked: 'wait' });
  await session.answer(await questionOf(session), { type: 'reject' });
  expect((await running).reason).toMatch(/needs you to log in first\. .*It offers: In the browser \(browser\)\.$/);
  const { session: other } = await open({ flags: ['--auth', 'key'], agent: { authMethod: 'key' } });
  expect((await other.chat('say hi')).text).toBe('hi');
});

test('[C143] cancelled while it waits for the login, the turn ends and leaves no question', async () => {
  const { session } = await open({ flags: ['--login', 'browser'] });
  const running = session.chat('say hi', { whenAsked: 'wait' });
  await questionOf(session);
  await session.interrupt();
  expect([(await running).outcome, (await session.status()).questions]).toEqual(['cancelled', []]);
});

test.for(['ask-and-run', 'ask-titled'])(
  'an agent that asks and then uses our terminal causes one question: %s',
  async (verb) => {
    const { session } = await open();
    const running = session.chat(`${verb} touch one.txt`, { whenAsked: 'wait' });
    await session.answer(await questionOf(session), { type: 'allow-once' });
    expect((await running).text).toContain('"exitCode":0');
    const opened = (await eventsOf(session)).filter(({ type }) => type === 'question-opened');
    expect(opened).toHaveLength(1);
  },
);

test('tokens that an agent reports beside the protocol count; unreported ones are unknown', async () => {
  const { session } = await open({ flags: ['--quota'] });
  await session.chat('say hi');
  expect((await session.status()).usage).toMatchObject({ inputTokens: 120, outputTokens: 30 });
  const { session: silent } = await open();
  await silent.chat('say hi');
  expect((await silent.status()).usage).toMatchObject({ inputTokens: 0, costIsKnown: false });
  expect((await reportsOf(silent)).some(({ type }) => type === 'usage')).toBe(false);
});
