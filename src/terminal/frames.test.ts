// Frames of a chat, stored as files next to this one. Change them only on purpose.
import { expect, test } from 'vitest';

import type { EffectId, JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import { createRondo } from '../rondo.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createFakeIds } from '../testing/fake-ids.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { chatViewWith, newChatView, withNote, type ChatView } from './chat/chat-view.ts';
import { createConversationDrawer } from './screen/draw-conversation.ts';
import { footLines } from './screen/foot-lines.ts';
import type { Look } from './lines/look.ts';
import { createMarkdown } from './screen/markdown.ts';
import { statusBar } from './screen/status-bar.ts';
import { createPaint, type ColourDepth, type Theme } from './theme.ts';
import { panelFrom, panelLines, panelWidth } from './lines/worker-lines.ts';

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

function lookAt(view: ChatView, width: number, theme: Theme, depth: ColourDepth): Look {
  const paint = createPaint(theme, depth);
  return {
    width,
    paint,
    prompt: theme.prompt ?? '❯',
    now: view.status?.updatedAt ?? 0,
    markdown: createMarkdown(paint),
    isOpen: () => false,
    textOf: (body) => (typeof body === 'string' ? body : body.preview),
    streamOf: (effect) => view.streams.get(effect),
    workerName: (worker) => view.workers.find((row) => row.worker === worker)?.name ?? worker,
  };
}

function frame(view: ChatView, width: number, theme: Theme = {}, depth: ColourDepth = 'none'): string {
  const hasPanel = width >= panelFrom;
  const look = lookAt(view, hasPanel ? width - panelWidth : width, theme, depth);
  const foot = { screenWidth: width, editing: undefined, keys: 'count' as const, unsent: [] };
  const { status } = view;
  const around = { branch: 'main', server: undefined, isLost: false, liveWorkers: 0 };
  return [
    ...createConversationDrawer({ pace: 'at-once' }).draw(view, look, 0).lines,
    '',
    ...footLines(view, foot, { ...look, width }),
    ...(status === undefined ? [] : [statusBar(status, around, { ...look, width })]),
    ...(hasPanel ? ['', 'beside it:', ...panelLines(view.workers, { ...look, width: panelWidth - 2 })] : []),
    '',
  ].join('\n');
}

test.each([40, 80, 140])('[C126] a chat %i columns wide', async (width) => {
  await expect(frame(await exampleView(), width)).toMatchFileSnapshot(`frames/${width}.txt`);
});

test('[C126] the colours of an agent’s theme', async () => {
  const theme = { accent: '#ff8800', user: 'magenta', agent: 'bright-cyan', prompt: 'owl>' };
  await expect(frame(await exampleView(), 80, theme, 'full')).toMatchFileSnapshot('frames/theme.ansi');
});

test('no line of a frame is wider than the terminal', async () => {
  const { visibleWidth } = await import('@earendil-works/pi-tui');
  const view = await exampleView();
  for (const width of [20, 40, 80, 140]) {
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
  const { lines } = createConversationDrawer({ pace: 'at-once' }).draw(
    streaming,
    lookAt(streaming, 60, {}, 'none'),
    0,
  );
  expect(lines).toEqual(['▸ thought, 4 words · ctrl+t opens', 'First.', '', 'Second']);
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
  const look = lookAt(view, 60, {}, 'none');
  const { lines } = createConversationDrawer({ pace: 'at-once' }).draw(view, look, 0);
  const shown = lines.map((line) => line.trim()).filter((line) => line !== '');
  const from = shown.indexOf('✓ look');
  expect(shown.slice(from, from + 6)).toEqual(['✓ look', 'a', 'b', 'c', 'd', 'e']);
  expect(shown.filter((line) => line.startsWith('… '))).toEqual([
    '… 2 more lines · ctrl+o opens',
    '… 10 more lines · ctrl+o opens',
  ]);
});

const longTool = testTool('scan', () => Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n'));
