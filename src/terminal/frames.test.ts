// Frames of a chat, stored as files next to this one. Change them only on purpose.
import { expect, test } from 'vitest';

import type { EffectId, JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import { createRondo } from '../rondo.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createFakeIds } from '../testing/fake-ids.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { chatViewWith, newChatView, openQuestionsIn, withNote, type ChatView } from './chat/chat-view.ts';
import { createConversationDrawer } from './screen/draw-conversation.ts';
import type { Look } from './lines/look.ts';
import { createMarkdown } from './screen/markdown.ts';
import { plainPaint, plainLook } from '../testing/plain-look.ts';
import { cardChoices } from '../wording/card-choices.ts';
import { newCardState } from './chat/card-state.ts';
import { asciiShapes, shapes } from './glyphs.ts';
import { cardBody } from './lines/card-body.ts';
import { cardLines } from './lines/card-lines.ts';
import { queueLines } from './lines/queue-lines.ts';
import { createPaint } from './theme.ts';

// Times of prompts are local.
process.env['TZ'] = 'UTC';

const reply =
  '# Title Some **bold** words and `code`, long enough that a narrow terminal has to wrap them: 日本語 and 👩‍👩‍👧 too.';

/** A session with every kind of item, as its follower sees it. */
async function exampleView(): Promise<ChatView> {
  const clock = createFakeClock();
  const report = { worker: 'wrk_1' as WorkerId, job: 'job_1' as JobId, session: 'ses_child' as SessionId };
  await using rondo = await createRondo(
    testingAgent({
      clock,
      ids: createFakeIds(),
      tools: [
        testTool('look', () => 'line 1\nline 2\nline 3\nline 4\nline 5'),
        testTool('write', () => 'written', { access: 'write' }),
      ],
    }),
  );
  const session = await rondo.sessions.create({ cwd: '/project', limits: { tokens: 5000 } });
  await session.chat(`say ${reply}`);
  await session.chat('call look {"path":"src/a-file.ts"}\nsay Seen.');
  await session.send(
    { type: 'worker', report: { ...report, state: 'spawned' } },
    { by: { type: 'worker', name: 'scout' } },
  );
  await session.send(
    { type: 'worker', report: { ...report, state: 'failed', text: 'the disk is full' } },
    { by: { type: 'worker', name: 'scout' } },
  );
  await session.chat('call write {"path":"notes.txt","content":"one\\ntwo\\n"}');
  await session.send({ type: 'chat', text: 'and then this' });
  let view = newChatView(session.id);
  const { events } = await session.events({ after: 0 });
  for (const recorded of events) view = chatViewWith(view, { type: 'event', recorded, json: '' });
  return { ...withNote(view, 'Said by the terminal itself.'), status: await session.status() };
}

function lookAt(view: ChatView, width: number): Look {
  return plainLook(width, {
    now: view.status?.updatedAt ?? 0,
    markdown: createMarkdown(plainPaint, shapes),
    streamOf: (effect) => view.streams.get(effect),
    workerName: (worker) => view.workers.find((row) => row.worker === worker)?.name ?? worker,
  });
}

function frame(view: ChatView, width: number, given: Partial<Look> = {}): string {
  const look = { ...lookAt(view, width), ...given };
  const { lines } = createConversationDrawer({ pace: 'at-once' }).draw(view, look, 0);
  const [question] = openQuestionsIn(view);
  const card =
    question === undefined
      ? []
      : cardLines(
          {
            question,
            choices: cardChoices(question, 'project'),
            state: newCardState(question.id, { isDangerous: false, choices: cardChoices(question, 'project') }),
            from: 'now',
            more: 0,
            place: 'card',
            body: cardBody(
              question,
              { before: undefined, isSideBySide: undefined },
              { ...look, width: width - 4 },
            ),
            height: 20,
            room: 40,
          },
          look,
        ).lines;
  const queue =
    view.status === undefined ? [] : queueLines(view.status, { editing: undefined, selected: undefined }, look);
  return [...lines, '', ...card, '', ...queue, ''].join('\n');
}

test.each([60, 120, 200])('[C126] a chat %i columns wide', async (width) => {
  await expect(frame(await exampleView(), width)).toMatchFileSnapshot(`frames/${width}.txt`);
});

test('[C126] the colors of an agent’s theme', async () => {
  const theme = { accent: '#ff8800', user: 'magenta', agent: 'bright-cyan', prompt: 'owl>' };
  const paint = createPaint(theme, { depth: 'full' });
  const view = await exampleView();
  const given = { paint, prompt: theme.prompt, markdown: createMarkdown(paint, shapes) };
  await expect(frame(view, 80, given)).toMatchFileSnapshot('frames/theme.ansi');
});

test('[C126] in ASCII, no shape is left', async () => {
  const text = frame(await exampleView(), 80, { glyphs: asciiShapes, prompt: '>' });
  const strange = [...new Set(text.match(/[^\n -~]/gu))].join('');
  expect(strange).toBe('日本語👩‍👧');
});

test('no line of a frame is wider than the terminal', async () => {
  const { visibleWidth } = await import('@earendil-works/pi-tui');
  const view = await exampleView();
  for (const width of [40, 60, 120, 200]) {
    const lines = frame(view, width).split('\n');
    expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
  }
});

test('text being streamed stands where it will stay, and reasoning is folded', async () => {
  const view = await exampleView();
  const effect = 'ses_1.99' as EffectId;
  const writing = { effect, since: 0, attempt: 1 };
  const stream = { attempt: 1, text: 'First.\n\nSecond', reasoning: 'Let me see now.', output: '', status: '' };
  const streaming: ChatView = {
    ...newChatView(view.session),
    transcript: { ...newChatView(view.session).transcript, writing },
    streams: new Map([[effect, stream]]),
  };
  const { lines } = createConversationDrawer({ pace: 'at-once' }).draw(streaming, lookAt(streaming, 60), 0);
  expect(lines).toEqual(['  Thought, 4 words', '', '  First.', '', '  Second']);
});

test('[C150] the output of a call that a person typed is shown, a longer one cut', async () => {
  await using rondo = await createRondo(
    testingAgent({ ids: createFakeIds(), tools: [testTool('look', () => 'a\nb\nc\nd\ne'), longTool] }),
  );
  const session = await rondo.sessions.create({ mode: 'repl' });
  await session.chat('look {}');
  await session.chat('call look {}');
  await session.chat('scan {}');
  let view = newChatView(session.id);
  const { events } = await session.events({ after: 0 });
  for (const recorded of events) view = chatViewWith(view, { type: 'event', recorded, json: '' });
  const look = lookAt(view, 60);
  const { lines } = createConversationDrawer({ pace: 'at-once' }).draw(view, look, 0);
  const shown = lines.map((line) => line.trim()).filter((line) => line !== '');
  const from = shown.findIndex((line) => line.startsWith('✓ Called look'));
  expect(shown.slice(from + 1, from + 6)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(shown.filter((line) => line.includes('more line'))).toEqual(['10 more lines   Ctrl+O']);
});

const longTool = testTool('scan', () => Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n'));
