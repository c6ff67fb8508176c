import { randomFillSync } from 'node:crypto';

import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Ids } from '../ports/ids.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeDigits = 9;
const randomDigits = 15;

/** Nine digits of time, fifteen random digits: sortable by time, and random enough never to collide. */
export function createSystemIds(now: () => number = Date.now): Ids {
  const pool = new Uint8Array(1024);
  let used = pool.length;
  const random = () => {
    if (used + randomDigits > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    let text = '';
    for (let digit = 0; digit < randomDigits; digit += 1) text += alphabet[(pool[used++] ?? 0) & 31];
    return text;
  };
  const next = () => {
    let text = '';
    for (let time = now(), digit = 0; digit < timeDigits; digit += 1, time = Math.floor(time / 32)) {
      text = (alphabet[time % 32] ?? '0') + text;
    }
    return text + random();
  };
  return {
    session: () => `ses_${next()}` as SessionId,
    worker: () => `wrk_${next()}` as WorkerId,
    job: () => `job_${next()}` as JobId,
    unique: next,
  };
}
