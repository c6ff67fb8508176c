import { expect, test } from 'vitest';

import type { Actor } from '../../kernel/actor.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import type { EffectId, QuestionId, SessionId, WorkerId } from '../../kernel/ids.ts';
import type { WorkerReport } from '../../kernel/report.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { chatViewWith, newChatView, openQuestionsIn, type ChatView } from './chat-view.ts';
import { plainLook } from '../../testing/plain-look.ts';
import { workerPanel } from '../lines/worker-lines.ts';

const session = 'ses_1' as SessionId;
const effect = 'ses_1.4' as EffectId;
const look = plainLook(60, { now: 10_000 });

function seen(view: ChatView, seq: number, event: Event, by: Actor = { type: 'person', name: 'ada' }): ChatView {
  const recorded: Recorded = { seq, at: seq * 1000, by, event };
  return chatViewWith(view, { type: 'event', recorded, json: '' });
}
const reported = (view: ChatView, seq: number, name: string, report: Omit<WorkerReport, 'worker'>) =>
  seen(
    view,
    seq,
    { type: 'worker-reported', report: { ...report, worker: `wrk_${name}` as WorkerId } },
    { type: 'worker', name },
  );
const streamed = (view: ChatView, offset: number, text: string, attempt = 1) =>
  chatViewWith(view, { type: 'progress', effect, attempt, kind: 'text', offset, text });

test('streamed text grows by its offsets, and a new attempt begins again', () => {
  const first = streamed(streamed(newChatView(session), 0, 'Hel'), 3, 'lo');
  expect(first.streams.get(effect)?.text).toBe('Hello');
  expect(streamed(first, 0, 'Again', 2).streams.get(effect)).toEqual({
    attempt: 2,
    text: 'Again',
    reasoning: '',
    output: '',
    status: '',
  });
});

test('[C128] workers are listed as they report, working ones first; without one at work the panel goes', () => {
  let view = reported(newChatView(session), 1, 'scout', { state: 'spawned' });
  view = reported(view, 2, 'smith', { state: 'spawned' });
  view = reported(view, 3, 'scout', { state: 'progressed', text: 'reading' });
  expect(workerPanel(view.workers, look)).toEqual([
    '  Workers  2',
    '◐ smith  working                                        8s',
    '◐ scout  reading                                        9s',
  ]);
  const usage = { inputTokens: 5000, outputTokens: 1000, cost: 0.06 };
  view = reported(view, 4, 'smith', { state: 'completed', text: 'all done', usage });
  expect(workerPanel(view.workers, look)).toEqual([
    '  Workers  2                                         $0.06',
    '◐ scout  reading                                        9s',
    '✓ smith  all done                                       2s',
  ]);
  view = reported(view, 5, 'scout', { state: 'failed', text: 'the disk is full' });
  expect(workerPanel(view.workers, look)).toEqual([]);
});

test('[C61] two workers that ask at once are both prompted, in the order in which they asked', () => {
  const asked = (id: string, openedAt: number): OpenQuestion => ({
    id: id as QuestionId,
    openedAt,
    about: { type: 'clarification', text: id, options: [] },
  });
  const view = { ...newChatView(session), questionsBelow: [asked('q_b', 7), asked('q_c', 9), asked('q_a', 7)] };
  expect(openQuestionsIn(view).map(({ id }) => id)).toEqual(['q_a', 'q_b', 'q_c']);
});

test("[C126] a turn's cost is that of its model calls; the next starts at zero", () => {
  const settled = (cost: number) =>
    ({
      type: 'model-settled',
      effect,
      attempt: 1,
      outcome: {
        type: 'completed',
        text: 'x',
        calls: [],
        stop: 'end',
        usage: { inputTokens: 1, outputTokens: 1, cost },
      },
    }) as unknown as Event;
  const started = (prompt: number) => ({ type: 'turn-started', prompt }) as unknown as Event;
  const ended = { type: 'turn-ended', ending: { type: 'completed' } } as unknown as Event;
  let view = newChatView(session);
  for (const [index, event] of [
    started(0),
    settled(0.25),
    settled(0.5),
    ended,
    started(4),
    settled(1),
    ended,
  ].entries())
    view = seen(view, index + 1, event);
  expect([...view.costs]).toEqual([
    ['4', 0.75],
    ['7', 1],
  ]);
});
