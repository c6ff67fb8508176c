import { expect, test } from 'vitest';

import type { Recorded } from '../../kernel/event.ts';
import { leave, newLeaving } from './leaving.ts';
import { followInto, type FollowSink } from './follow-into.ts';
import type { SnapshotView, Update } from '../update.ts';

const by = { type: 'person', name: 'anna' } as const;
const recorded = (seq: number): Recorded => ({
  seq,
  at: 0,
  by,
  event: { type: 'custom', name: `${seq}`, data: null },
});
const event = (seq: number): Update => ({ type: 'event', recorded: recorded(seq), json: '{}' });
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A growing journal, and a reader that can be made to fall behind. */
function setup(after: number | undefined) {
  const journal: Recorded[] = [1, 2, 3].map(recorded);
  const notices: string[] = [];
  const leaving = newLeaving();
  let push: (update: Update) => void = () => undefined;
  let isBehind = false;
  let caughtUp: () => void = () => undefined;
  const sink: FollowSink = {
    tell(update) {
      if (update.type === 'event') notices.push(`event ${update.recorded.seq}`);
      else if (update.type === 'gap') notices.push(`gap ${update.from}-${update.to}`);
      else notices.push(update.type === 'snapshot' ? `snapshot ${update.seq}` : `text ${update.offset}`);
    },
    get isBehind() {
      return isBehind;
    },
    ready: () => (isBehind ? new Promise<void>((resolve) => (caughtUp = resolve)) : Promise.resolve()),
  };
  const ended = followInto({
    source: {
      head: async () => journal.length,
      read: async (from) => journal.slice(from).map((one) => ({ recorded: one, json: '{}' })),
      snapshot: async (atInstant) => {
        atInstant();
        return { seq: journal.length, view: { streaming: [] } as unknown as SnapshotView };
      },
      streaming: () => [],
    },
    sink,
    listen(listener) {
      push = listener;
      return () => (push = () => undefined);
    },
    leaving,
    limit: 10,
    seen: new Map(),
    after,
    window: undefined,
    movesAt: undefined,
  });
  return {
    notices,
    ended,
    stop: () => leave(leaving),
    happens(seq: number, isHeard = true) {
      journal.push(recorded(seq));
      if (isHeard) push(event(seq));
    },
    turnEnds(seq: number) {
      const one: Recorded = { ...recorded(seq), event: { type: 'turn-ended', ending: { type: 'completed' } } };
      journal.push(one);
      push({ type: 'event', recorded: one, json: '{}' });
    },
    says: (offset: number, effect = 'ses_1.3') =>
      push({ type: 'progress', effect: effect as never, attempt: 1, kind: 'text', text: 'ab', offset }),
    fallBehind: () => (isBehind = true),
    catchUp() {
      isBehind = false;
      caughtUp();
    },
  };
}

test('[P5] earlier events and those during the read arrive once and in order', async () => {
  const { notices, ended, stop, happens, says } = setup(1);
  happens(4);
  await tick();
  happens(5);
  says(0);
  says(0);
  says(2);
  stop();
  expect([await ended, notices]).toEqual([5, ['event 2', 'event 3', 'event 4', 'event 5', 'text 0', 'text 2']]);
});

test('[C97] a slow reader gets nothing until it catches up, then a gap and a snapshot', async () => {
  const { notices, ended, stop, happens, fallBehind, catchUp } = setup(undefined);
  await tick();
  fallBehind();
  happens(4);
  happens(5);
  await tick();
  expect(notices).toEqual(['snapshot 3']);
  catchUp();
  await tick();
  happens(6);
  stop();
  expect([await ended, notices]).toEqual([6, ['snapshot 3', 'gap 4-5', 'snapshot 5', 'event 6']]);
});

test('[P5] an event that was not heard is never skipped: the reader starts afresh', async () => {
  const { notices, ended, stop, happens } = setup(3);
  await tick();
  happens(4, false);
  happens(5);
  await tick();
  stop();
  expect([await ended, notices]).toEqual([5, ['gap 4-5', 'snapshot 5']]);
});

test("[P5] late text of an ended turn from another process isn't repeated", async () => {
  const { notices, ended, stop, says, turnEnds } = setup(3);
  await tick();
  says(0);
  turnEnds(4);
  says(0);
  says(2);
  stop();
  await ended;
  expect(notices).toEqual(['text 0', 'event 4']);
});

test('[P5] text of the next turn that comes before the end of the last one is not delivered again', async () => {
  const { notices, ended, stop, says, turnEnds } = setup(3);
  await tick();
  says(0, 'ses_1.6');
  says(2, 'ses_1.6');
  turnEnds(4);
  says(0, 'ses_1.6');
  says(4, 'ses_1.6');
  stop();
  await ended;
  expect(notices).toEqual(['text 0', 'text 2', 'event 4', 'text 4']);
});
