/** What a model is told of those it gave work to: each one's ending, and those that could not start. */
import type { JobRow } from '../journal/job-queue.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import { textOfJob } from './job-text.ts';
import { endingWords } from './parent-reports.ts';
import type { WorkerParts } from './worker-parts.ts';

export type Started =
  | { readonly name: string; readonly job: JobRow }
  | { readonly name: string; readonly refusal: string };

/** An error only where nothing at all came of it. */
export async function outcomeOf(
  { queue, sessions }: WorkerParts,
  started: readonly Started[],
): Promise<ToolResult> {
  const lines: string[] = [];
  const data: {
    readonly name: string;
    readonly ending: string;
    readonly job?: string;
    readonly worker?: string;
  }[] = [];
  for (const one of started) {
    if ('refusal' in one) {
      lines.push(`## ${one.name}: not started\n${one.refusal}`);
      data.push({ name: one.name, ending: 'not-started' });
      continue;
    }
    const row = (await queue.job(one.job.id)) ?? one.job;
    const ending = row.ending ?? { type: 'completed' };
    const why = ending.type === 'completed' ? '' : ` (${endingWords(ending)})`;
    lines.push(`## ${one.name}: ${ending.type}${why}\n${await textOfJob(row, sessions)}`);
    data.push({ name: one.name, ending: ending.type, job: row.id, worker: row.worker });
  }
  const output = lines.join('\n\n');
  const isAllBad = data.every(({ ending }) => ending !== 'completed');
  return isAllBad
    ? { type: 'error', code: 'delegation-failed', message: output }
    : { type: 'success', output, data };
}

export function startedResult(started: readonly Started[]): ToolResult {
  const lines = started.map((one) =>
    'job' in one ? `${one.name}: started as job ${one.job.id}` : `${one.name}: not started: ${one.refusal}`,
  );
  const data = started.map((one) => ('job' in one ? { name: one.name, job: one.job.id } : { name: one.name }));
  return { type: 'success', output: lines.join('\n'), data };
}
