import { expect, test } from 'vitest';
import { system } from '../../kernel/actor.ts';
import type { Event } from '../../kernel/event.ts';
import type { EffectId } from '../../kernel/ids.ts';
import { createRondo } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { createHeadlessIo, createLineIo, serveIo } from './io.ts';
import type { Session } from '../handle/session.ts';
import type { Update } from '../update.ts';

const script = ['hello', 'call look {}', 'goodbye'];

async function* typed(lines: readonly string[]) {
  for (const line of lines) yield line;
}

/** Sends each line once the previous one is done, so that the script alone determines the order of events. */
async function* afterEachTurn(session: Session, lines: readonly string[]) {
  for (const [index, line] of lines.entries()) {
    yield line;
    await expect
      .poll(async () => {
        const { lifecycle, usage } = await session.status();
        return [lifecycle, usage.turns];
      })
      .toEqual(['idle', index + 1]);
  }
}

/** The events, without ids and times that differ between sessions. */
async function transcriptOf(session: Session): Promise<readonly unknown[]> {
  const { events } = await session.events({ after: 0 });
  return events.map(
    ({ seq, event }) => JSON.parse(JSON.stringify({ seq, event }).replaceAll(session.id, 'ses')) as unknown,
  );
}

async function rondoWithTool() {
  return createRondo(testingAgent({ tools: [testTool('look', () => 'seen')] }));
}

test('[C10] the same script through a terminal and headless gives equal transcripts', async () => {
  await using rondo = await rondoWithTool();
  const [typedIn, queued] = [await rondo.sessions.create(), await rondo.sessions.create()];
  let printed = '';
  await serveIo(
    typedIn,
    createLineIo(afterEachTurn(typedIn, script), (text) => (printed += text)),
  );
  const headless = createHeadlessIo();
  const served = serveIo(queued, headless);
  for await (const line of afterEachTurn(queued, script)) headless.enqueueInput(line);
  headless.end();
  const result = await served;
  expect(await transcriptOf(queued)).toEqual(await transcriptOf(typedIn));
  expect(printed).toBe('You said: hello\nlook (success): seen\nYou said: goodbye\n');
  expect(result).toMatchObject({ outcome: 'completed', text: 'You said: goodbye' });
});

test('[C127] headless output is read from a queue, null when it is empty; the last response stays', async () => {
  await using rondo = await rondoWithTool();
  const io = createHeadlessIo();
  const served = serveIo(await rondo.sessions.create(), io);
  expect(io.readOutput()).toBeNull();
  io.enqueueInput('one');
  io.enqueueInput({ type: 'chat', text: 'two' });
  io.end();
  await served;
  expect([io.readOutput(), io.readOutput(), io.readOutput()]).toEqual(['You said: one', 'You said: two', null]);
  expect(io.lastResponse).toBe('You said: two');
});

test('[C127] a reply too long for its event comes out whole', async () => {
  await using rondo = await rondoWithTool();
  const io = createHeadlessIo();
  const long = `say ${'word '.repeat(2000).trim()}`;
  io.enqueueInput(long);
  io.end();
  await serveIo(await rondo.sessions.create(), io);
  expect(io.readOutput()).toBe(long.slice(4));
});

test('[C10] one channel is swapped for another in mid-conversation, and the session continues', async () => {
  await using rondo = await rondoWithTool();
  const session = await rondo.sessions.create();
  await serveIo(
    session,
    createLineIo(typed(['first']), () => undefined),
  );
  const io = createHeadlessIo();
  io.enqueueInput('second');
  io.end();
  await serveIo(session, io);
  expect((await session.status()).usage.turns).toBe(2);
});

test('[C127] only what a model said is output: no reply without text, and nothing of one that failed', () => {
  const io = createHeadlessIo();
  const settled = (outcome: object): Update => ({
    type: 'event',
    recorded: { seq: 5, at: 1, by: system, event: { type: 'model-settled', outcome } as unknown as Event },
    json: '',
  });
  const streamed = (text: string, offset: number): Update => ({
    type: 'progress',
    effect: 'ses_1.4' as EffectId,
    attempt: 1,
    kind: 'text',
    text,
    offset,
  });
  io.tell(settled({ type: 'completed', text: '' }));
  io.tell(settled({ type: 'failed', message: 'down', partial: 'half' }));
  io.tell(settled({ type: 'completed', text: 'plain' }));
  expect([io.readOutput(), io.readOutput()]).toEqual(['plain', null]);
  io.tell(streamed('half of a fai', 0));
  io.tell(streamed('Hel', 0));
  io.tell(streamed('lo', 3));
  io.tell(settled({ type: 'completed', text: 'He' }));
  io.tell(settled({ type: 'completed', text: 'Hello again' }));
  expect([io.readOutput(), io.readOutput(), io.lastResponse]).toEqual(['Hello', 'Hello again', 'Hello again']);
  io.tell(settled({ type: 'completed', text: 'He' }));
  expect(io.readOutput()).toBe('He');
});

test('[C150] in mode repl the output of a call is what a channel gets as its answer', async () => {
  await using rondo = await rondoWithTool();
  let printed = '';
  const lines = createLineIo(typed(['look {}', 'hello']), (text) => (printed += text));
  await serveIo(await rondo.sessions.create({ mode: 'repl' }), lines);
  expect(printed).toBe('seen\nYou said: hello\n');
  const headless = createHeadlessIo();
  headless.enqueueInput('look {}');
  headless.end();
  await serveIo(await rondo.sessions.create({ mode: 'repl' }), headless);
  expect([headless.readOutput(), headless.readOutput(), headless.lastResponse]).toEqual(['seen', null, 'seen']);
});
