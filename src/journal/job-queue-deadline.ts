/**
 * Deadlines that don't move when somebody sets the clock. A deadline is stored as a time of day, which people read and every
 * machine understands, and on the clock of the boot that filed the job, which nobody can set.
 */
import { timeAt } from '../kernel/time.ts';
import type { JobRow, NewJob } from '../ports/job-queue.ts';

/** Two readings of one moment. */
interface Moment {
  readonly at: number;
  readonly uptime: number;
}

/** More than clocks drift apart by themselves while a job waits, and less than anyone notices. */
const leastStepMs = 1000;

export function dueOnBoot({ deadline }: NewJob, boot: string, { at, uptime }: Moment): Pick<JobRow, 'due'> {
  return deadline === undefined ? {} : { due: { boot, uptime: uptime + deadline - at } };
}

/**
 * The row with its deadline on this machine's clock. After a reboot, or on another machine, the deadline is computed
 * again from the time of day.
 */
export function onThisBoot(row: JobRow, boot: string, moment: Moment): JobRow {
  const { deadline, due } = row;
  if (deadline === undefined) return row;
  if (due?.boot !== boot) return { ...row, ...dueOnBoot(row, boot, moment) };
  const steady = timeAt(moment.at + due.uptime - moment.uptime);
  return Math.abs(steady - deadline) < leastStepMs ? row : { ...row, deadline: steady };
}
