/** What both sides of the append benchmark write: a thousand sessions that already have some events. */
export const sessionCount = 1000;
export const eventsBefore = 50;

/** About 300 bytes as stored. */
export const floorBody = `{"type":"custom","name":"bench","data":"${'x'.repeat(258)}"}`;

export interface Appends {
  readonly perSecond: number;
  readonly count: number;
}

export function sessionName(index: number): string {
  return `ses_bench${String(index).padStart(19, '0')}`;
}
