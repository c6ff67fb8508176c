import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, refusal, testTime, type GivenInput } from '../testing/given.ts';
import { chat, created } from '../testing/inputs.ts';
import { newContext } from './context.ts';
import { hasEffectsInFlight } from './decide/end-turn.ts';

const kept = { type: 'git', commit: 'c1', ref: 'refs/rondo/1' } as const;
const checkpoint = { label: 'turn-3', at: testTime, root: '/work', kept };
const before = { ...checkpoint, label: 'restore-2' };
const later = { ...checkpoint, label: 'restore-2 again' };
const requested = { type: 'restore-requested', to: 1, checkpoint } as const;
const both = { ...requested, rewind: { to: 1, context: newContext } } as const;
const inFlight = { effect: effect(2), attempt: 1 };
const prepared = { type: 'restore-prepared', ...inFlight, before } as const;
const changed = '{"restored":["a"],"removed":[],"blocked":[]}';
const settled = { type: 'restore-settled', ...inFlight, outcome: { type: 'restored', changed } } as const;
const failed = { ...settled, outcome: { type: 'failed', message: 'no space' } } as const;
const restored = { type: 'files-restored', to: 1, checkpoint, before, changed } as const;

describe('files go back to a checkpoint', () => {
  test('[C119][V16] intended first, then what they are is recorded, then they are restored, and the conversation goes back with them', () => {
    given(created())
      .when(both)
      .then(
        events({ type: 'restore-intended', to: 1, checkpoint, rewind: both.rewind }),
        decisions({ type: 'restore-files', ...inFlight, checkpoint }),
      )
      .when(prepared)
      .then(
        events({ type: 'checkpoint-taken', checkpoint: before, effect: effect(2) }),
        decisions({ type: 'restore-files', ...inFlight, checkpoint, before }),
      )
      .when(settled)
      .then(
        events(restored, {
          type: 'rewound',
          to: 1,
          context: { ...newContext, from: 5, spans: [{ from: 1, to: 1 }] },
        }),
      );
    given(created(), requested, prepared).when(settled).then(events(restored));
  });

  test('[C119][V16] what fails is recorded, before and after something was kept, and changes nothing else', () => {
    const problem = { type: 'restore-failed', to: 1, message: 'no space' } as const;
    for (const inputs of [[both], [both, prepared]] as const) {
      const start = given(created());
      const { state } = given(created(), ...inputs)
        .when(failed)
        .then(events(problem));
      expect({ ...state, seq: 0 }).toEqual({ ...start.state, seq: 0 });
    }
  });

  test('[R1] reports of another attempt, a second one and restored files with nothing kept are ignored', () => {
    const late = { effect: effect(2), attempt: 2 };
    given(created(), requested)
      .when({ ...prepared, ...late })
      .then(events());
    given(created(), requested).when(settled).then(events());
    given(created(), requested, prepared)
      .when({ ...prepared, before: later })
      .then(events());
    given(created(), requested, prepared)
      .when({ ...failed, ...late })
      .then(events());
    given(created(), requested, prepared, settled).when(settled).then(events());
    given(created()).when(prepared).then(events());
  });

  test('[C119][V16] no turn starts during it: prompts wait, a paused queue continues with them, and then they start', () => {
    const { state } = given(created(), requested, prepared)
      .when(chat('one'))
      .then(events({ type: 'prompt-received', request: { type: 'chat', text: 'one' }, delivery: 'queue' }));
    expect([state.phase.type, state.queue.prompts.length]).toEqual(['restoring', 1]);
    const types = (...inputs: readonly GivenInput[]) =>
      given(created(), requested, prepared, ...inputs)
        .when(settled)
        .transition.events.map(({ event }) => event.type);
    expect(types(chat('one'))).toEqual(['files-restored', 'turn-started', 'model-call-intended']);
    expect(types({ type: 'queue-changed', change: { type: 'paused' } }, chat('one'))).toEqual([
      'files-restored',
      'turn-started',
      'model-call-intended',
    ]);
  });

  test('[C119][V16] is refused while a turn or another restore runs, once closed, and to an event that is not there', () => {
    const isRestoring = refusal('conflict', 'session ses_1 is restoring files; wait until that is done');
    given(created(), chat('one'))
      .when(requested)
      .then(
        refusal(
          'conflict',
          'session ses_1 is in the middle of a turn; wait for its end or interrupt it, then rewind',
        ),
      );
    given(created(), requested).when(requested).then(isRestoring);
    given(created(), requested).when({ type: 'rewound', to: 1, context: newContext }).then(isRestoring);
    given(created(), requested).when({ type: 'closed' }).then(isRestoring);
    given(created(), { type: 'closed' })
      .when(requested)
      .then(refusal('closed', 'session ses_1 is closed; fork it to continue from an earlier point'));
    const none = refusal('invalid', "session ses_1 has the events 1 to 1; 2 doesn't exist");
    given(created())
      .when({ ...requested, to: 2 })
      .then(none);
    given(created())
      .when({ ...both, rewind: { to: 2, context: newContext } })
      .then(none);
  });

  test('[C119][R11] cut off, it is in flight and done again; what was kept before is not kept again', () => {
    const recovered = { type: 'session-recovered', epoch: 2 } as const;
    const again = { effect: effect(2), attempt: 2 };
    const repeated = { type: 'effect-repeated', ...again } as const;
    const early = given(created(), both);
    expect([hasEffectsInFlight(early.state), hasEffectsInFlight(given(created()).state)]).toEqual([true, false]);
    early
      .when(recovered)
      .then(events(recovered, repeated), decisions({ type: 'restore-files', ...again, checkpoint }));
    const { state } = given(created(), both, prepared)
      .when(recovered)
      .then(events(recovered, repeated), decisions({ type: 'restore-files', ...again, checkpoint, before }));
    expect(state).toMatchObject({ recoveries: 1, phase: { restore: { attempt: 2, before } } });
    const done = given(created(), both, prepared, recovered, { ...settled, ...again }).state;
    expect([done.phase, done.recoveries]).toEqual([{ type: 'idle' }, 0]);
  });

  test('[C119][R11] is given up after too many crashes, and says what that leaves', () => {
    const message =
      'The process stopped 3 times in a row while it restored files, so that was given up; some may be restored and others not.';
    given(created(), requested, prepared)
      .when({ type: 'session-recovered', epoch: 4, crashes: 3 })
      .then(events({ type: 'session-recovered', epoch: 4 }, { type: 'restore-failed', to: 1, message }));
    const { state } = given(
      created({ limits: { recoveries: 1 } }),
      requested,
      { type: 'session-recovered', epoch: 2 },
      { type: 'session-recovered', epoch: 3 },
    );
    expect(state.phase).toEqual({ type: 'idle' });
  });
});
