import { describe, expect, test } from 'vitest';

import { decisions, events, given, type GivenInput } from '../testing/given.ts';
import { chat, created } from '../testing/inputs.ts';
import type { QuestionId, WorkerId } from './ids.ts';
import type { WorkerReport } from './report.ts';

const workerReport = (
  worker: string,
  state: WorkerReport['state'],
): Extract<GivenInput, { type: 'worker-reported' }> => ({
  type: 'worker-reported',
  report: { worker: worker as WorkerId, state },
});

describe('the report of a worker', () => {
  test('[C1][K1] is recorded and wants nothing, whatever the session does', () => {
    for (const inputs of [[created()], [created(), chat('go')]]) {
      given(...inputs)
        .when(workerReport('w1', 'completed'))
        .then(events(workerReport('w1', 'completed')), decisions());
    }
  });

  test.for<{ reports: readonly GivenInput[]; live: readonly object[] }>([
    {
      reports: [workerReport('w1', 'spawned'), workerReport('w2', 'spawned')],
      live: [
        { id: 'w1', state: 'spawned' },
        { id: 'w2', state: 'spawned' },
      ],
    },
    {
      reports: [workerReport('w1', 'spawned'), workerReport('w1', 'progressed')],
      live: [{ id: 'w1', state: 'progressed' }],
    },
    {
      reports: [workerReport('w1', 'spawned'), workerReport('w1', 'stalled')],
      live: [{ id: 'w1', state: 'stalled' }],
    },
    { reports: [workerReport('w1', 'spawned'), workerReport('w1', 'completed')], live: [] },
    { reports: [workerReport('w1', 'spawned'), workerReport('w1', 'failed')], live: [] },
    { reports: [workerReport('w1', 'spawned'), workerReport('w1', 'cancelled')], live: [] },
  ])('[P10][K1] only live workers are kept: $live', ({ reports, live }) => {
    expect(given(created(), ...reports).state.workers).toEqual(live);
  });

  test('[P9][R8] of a question ends the count of recoveries: it is a person that is waited for', () => {
    const recovered: GivenInput = { type: 'session-recovered', epoch: 2 };
    const inMotion = [created(), chat('go'), recovered];
    const { report } = workerReport('w1', 'progressed');
    const asks: GivenInput = { type: 'worker-reported', report: { ...report, question: 'q_1' as QuestionId } };
    expect(given(...inMotion).state.recoveries).toBe(1);
    expect(given(...inMotion, workerReport('w1', 'progressed')).state.recoveries).toBe(1);
    expect(given(...inMotion, asks).state.recoveries).toBe(0);
  });
});
