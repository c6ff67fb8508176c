import { expect, test } from 'vitest';

import type { Recorded } from '../../kernel/event.ts';
import { newState, type State } from '../../kernel/state.ts';
import { timeAt } from '../../kernel/time.ts';
import { given, question, testSession, testTime } from '../../testing/given.ts';
import { answered, changingCall, chat, created, replied } from '../../testing/inputs.ts';
import { directoryEntryOf } from '../../views/directory.ts';
import { dueOf, project, projectedOf } from './projector.ts';

const waitingUntil = (...times: readonly number[]): State => ({
  ...newState(testSession),
  waits: times.map((until) => ({ until: timeAt(until) })) as unknown as State['waits'],
});

test('[O9] the first of all waits is when a session is due, and without waits it is never', () => {
  expect([dueOf(waitingUntil()), dueOf(waitingUntil(300, 200, 400))]).toEqual([null, 200]);
});

test('[O9] writes a due time if it differs from the one on disk, even if there is none now', () => {
  const projected = projectedOf(waitingUntil(200));
  expect(projected).toEqual({ due: 200, writtenDue: 200 });
  const dueIn = (state: State) => project(projected, state, []);
  expect(dueIn(waitingUntil(200))).not.toHaveProperty('due');
  expect(dueIn(waitingUntil(100, 200))).toMatchObject({ due: 100 });
  expect(projected).toEqual({ due: 100, writtenDue: 200 });
  expect(dueIn(waitingUntil())).toMatchObject({ due: null });
  expect(projected.due).toBeNull();
});

test('[O13] [P3] a question is listed by the event that opens it and removed by the one that answers it', () => {
  const asking = given(created(), chat('go')).when(replied('ses_1.4', '', [changingCall('a')]));
  const { state, events } = asking.transition;
  const opened = events.find(({ event }) => event.type === 'question-opened') as Recorded;
  const about = opened.event.type === 'question-opened' ? opened.event.about : undefined;
  const shared = { entry: directoryEntryOf(state), inFlight: false };
  expect(project(projectedOf(state), state, events)).toEqual({
    ...shared,
    questionsOpened: [
      {
        id: question(opened.seq),
        session: testSession,
        openedAt: testTime,
        type: 'approval',
        about: JSON.stringify(about),
      },
    ],
  });
  const after = given(created(), chat('go'), replied('ses_1.4', '', [changingCall('a')])).when(
    answered(question(opened.seq), 'allow-once'),
  ).transition;
  expect(project(projectedOf(after.state), after.state, after.events)).toEqual({
    entry: directoryEntryOf(after.state),
    inFlight: true,
    questionsClosed: [question(opened.seq)],
  });
});

test('[P10] an ordinary step writes the entry alone', () => {
  const { state, events } = given(created()).when(chat('go')).transition;
  expect(project(projectedOf(state), state, events)).toEqual({ entry: directoryEntryOf(state), inFlight: true });
});
