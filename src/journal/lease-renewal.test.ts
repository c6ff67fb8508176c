import { expect, test } from 'vitest';

import { createLeaseRenewal } from './lease-renewal.ts';

/** A lease of 30 s: sure for 12 s, and its owner stops 5 s before it ends. */
function setUp(leaseMs = 30_000) {
  // A time of day that jumps, so that the machine's uptime decides.
  const time = { up: 0, day: 0 };
  const beats: (() => void)[] = [];
  const answers: (number | 'lost' | Error)[] = [];
  const notices: (number | string)[] = [];
  const parts = {
    async renew() {
      notices.push('renew');
      const answer = answers.shift() ?? 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    clock: {
      uptime: () => time.up,
      now: () => (time.day += 1e9),
      every: (ms: number, call: () => void) => {
        notices.push(`every ${ms}`);
        beats.push(call);
        return () => void beats.splice(0);
      },
    },
    leaseMs,
  };
  const renewal = createLeaseRenewal(parts, {
    onLost: () => void notices.push('lost'),
    onRenewed: () => void notices.push('renewed'),
  });
  renewal.onStanding((standing) => notices.push(standing));
  renewal.onRenewed((ms) => notices.push(ms));
  const standingAt = (up: number) => {
    time.up = up;
    return renewal.standing();
  };
  return { time, beats, answers, notices, renewal, standingAt };
}

test('[O5] a lease is sure for two fifths, unsure after that, and lapsed 5 s before another process may take over', () => {
  const { renewal, standingAt } = setUp();
  expect(standingAt(999_999)).toBe('sure');
  renewal.start(1_000_000);
  const standings = [0, 12_000, 12_001, 24_999, 25_000].map((elapsed) => standingAt(1_000_000 + elapsed));
  expect(standings).toEqual(['sure', 'sure', 'unsure', 'unsure', 'lapsed']);
});

test('[O5] reserves a third of a short lease for stopping', () => {
  const { renewal, standingAt } = setUp(3000);
  renewal.start(0);
  expect([1999, 2000].map(standingAt)).toEqual(['unsure', 'lapsed']);
});

test('[O5] renews every fifth of the lease, counts from the send time, and returns how long work may run', async () => {
  const { renewal, notices, beats, time, standingAt } = setUp();
  time.up = 100;
  renewal.start(100);
  renewal.start(50);
  expect(notices).toEqual([25_000, 'every 6000']);
  time.up = 13_000;
  beats[0]?.();
  await renewal.renew();
  expect(notices.slice(2)).toEqual(['unsure', 'renew', 'renewed', 25_000, 'sure']);
  expect([13_000 + 12_000, 13_000 + 12_001].map(standingAt)).toEqual(['sure', 'unsure']);
});

test('[O5] a failed renewal leaves the lease unchanged; only one is in flight at a time', async () => {
  const { renewal, notices, answers, standingAt } = setUp();
  renewal.start(0);
  answers.push(new Error('locked'));
  const renewals = [renewal.renew(), renewal.renew()];
  await expect(Promise.all(renewals)).rejects.toThrow('locked');
  expect(notices.filter((each) => each === 'renew')).toHaveLength(1);
  expect(standingAt(25_000)).toBe('lapsed');
  await renewal.renew();
  expect(notices.slice(-4)).toEqual(['renew', 'renewed', 25_000, 'sure']);
});

test('[P1] [O5] a process that saw an uncertain lease between two beats is told once that it is certain again', async () => {
  const { renewal, notices, beats, time, standingAt } = setUp();
  renewal.start(0);
  time.up = 11_999;
  beats[0]?.();
  expect(standingAt(12_001)).toBe('unsure');
  await renewal.renew();
  await renewal.renew();
  expect(notices.slice(2)).toEqual(['renew', 'renewed', 24_998, 'sure', 'renew', 'renewed', 25_000]);
});

test('[P4] a lost lease is reported, no longer renewed, and starts again with the next claim', async () => {
  const { renewal, notices, answers, beats, standingAt } = setUp();
  renewal.start(0);
  answers.push('lost');
  await renewal.renew();
  expect(notices.slice(2)).toEqual(['renew', 'lost']);
  expect([beats.length, standingAt(60_000)]).toEqual([0, 'sure']);
  renewal.start(60_000);
  expect(notices.slice(4)).toEqual([25_000, 'every 6000']);
  renewal.stop();
  expect(beats).toHaveLength(0);
});
