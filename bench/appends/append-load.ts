import type { Metered } from '../harness/cpu-meter.ts';

/** What both sides of the append benchmark write: a thousand sessions that already have some events. */
export const sessionCount = 1000;
/** Appended one by one by everything measured, so that each runs warm. */
export const eventsBefore = 20;

/** About 300 bytes as stored. */
export const floorBody = `{"type":"custom","name":"bench","data":"${'x'.repeat(258)}"}`;

export type Appends = Metered;

/** Each writer awaits its append before the next. Returns the number of appends. */
export async function writersRun<Head>(
  heads: readonly Head[],
  writers: number,
  isOver: () => boolean,
  append: (head: Head) => Promise<void>,
): Promise<number> {
  let count = 0;
  const write = async (writer: number) => {
    for (let at = writer; !isOver(); at += writers) {
      const head = heads[at % heads.length];
      if (head === undefined) return;
      await append(head);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return count;
}

export function sessionName(index: number): string {
  return `ses_bench${String(index).padStart(19, '0')}`;
}
