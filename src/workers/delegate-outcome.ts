/** The result of `delegate` for the model: each worker's ending, and the workers that couldn't start. */
import { previewOf } from '../kernel/content.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { Escalated } from './escalations.ts';
import { textOfJob } from './job-text.ts';
import { endingWords } from './parent-reports.ts';
import type { Started } from './started-work.ts';
import type { WorkerParts } from './worker-parts.ts';

/** An error only if no work produced a result. */
export async function delegateResult(
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
    if (row.ending === undefined) {
      lines.push(`## ${one.name}: still at work`);
      data.push({ name: one.name, ending: 'none', job: row.id, worker: row.worker });
      continue;
    }
    const { ending } = row;
    const why = ending.type === 'completed' ? '' : ` (${endingWords(ending)})`;
    lines.push(`## ${one.name}: ${ending.type}${why}\n${await textOfJob(row, sessions)}`);
    data.push({ name: one.name, ending: ending.type, job: row.id, worker: row.worker });
  }
  const output = lines.join('\n\n');
  const isAllBad = data.every(({ ending }) => ending !== 'completed' && ending !== 'none');
  return isAllBad
    ? { type: 'error', code: 'delegation-failed', message: output }
    : { type: 'success', output, data };
}

/** Adds the workers' open questions, worded so that an agent can act on them. */
export function withQuestions(outcome: ToolResult, asked: readonly Escalated[]): ToolResult {
  if (outcome.type === 'cancelled') return outcome;
  const lines = asked.map(
    ({ question, worker, tool, unit, reason }) =>
      `- ${question}: ${worker} wants to use ${tool}${unit === undefined ? '' : ` (${unit})`}. ${reason}`,
  );
  const text = outcome.type === 'success' ? outcome.output : outcome.message;
  const output = `${previewOf(text)}

## Waiting for your decision
${lines.join('\n')}
Answer each with decide; what you do not decide goes to a person.`;
  return { type: 'success', output, data: asked };
}

export function startedResult(started: readonly Started[]): ToolResult {
  const lines = started.map((one) =>
    'job' in one ? `${one.name}: started as job ${one.job.id}` : `${one.name}: not started: ${one.refusal}`,
  );
  const data = started.map((one) => ('job' in one ? { name: one.name, job: one.job.id } : { name: one.name }));
  return { type: 'success', output: lines.join('\n'), data };
}
