/**
 * Output of a run of jobs. For programs, JSON Lines. For people, one line per ended job and a summary, and on a
 * terminal a line with the running jobs. Questions and next steps go to standard error.
 */
import type { JobState } from '../../ports/job-queue.ts';
import { hasEnded } from '../../journal/job-queue-state.ts';
import { oneLine } from '../../views/one-line.ts';
import { counted } from '../../wording/counted.ts';
import { tokensText } from '../../wording/amount.ts';
import { costText } from '../../wording/cost.ts';
import { questionLine } from '../../wording/question.ts';
import { createStatusLine } from '../run/status-line.ts';
import type { Terminal } from '../../wording/terminal-style.ts';
import { printable } from '../../views/printable.ts';
import type { JobRecord, JobsResult } from './jobs-result.ts';

interface JobsOutput {
  start(labels: readonly string[]): void;
  state(label: string, state: JobState): void;
  ended(record: JobRecord): void;
  result(result: JobsResult, storeFlag: string): void;
  /** Removes transient output. */
  clear(): void;
}

const out = (line: string) => void process.stdout.write(`${line}\n`);
const err = (line: string) => void process.stderr.write(`${line}\n`);

export function createJobsOutput({
  isJson,
  terminal,
}: {
  readonly isJson: boolean;
  readonly terminal: Terminal;
}): JobsOutput {
  return isJson ? jsonOutput() : textOutput(terminal);
}

function jsonOutput(): JobsOutput {
  return {
    start: () => undefined,
    state(id, state) {
      if (!hasEnded(state)) out(JSON.stringify({ type: 'state', id, state }));
    },
    ended: (record) => out(JSON.stringify({ type: 'ended', ...record })),
    result: (result) => out(JSON.stringify(result)),
    clear: () => undefined,
  };
}

function textOutput(terminal: Terminal): JobsOutput {
  const status = createStatusLine((text) => void process.stderr.write(text), terminal);
  const states = new Map<string, JobState>();
  let count = 0;

  function showStatus(): void {
    const named = (wanted: JobState) => [...states].flatMap(([label, state]) => (state === wanted ? [label] : []));
    const done = [...states.values()].filter(hasEnded).length;
    const parts = (['running', 'waiting', 'stalled'] as const).flatMap((state) => {
      const labels = named(state);
      return labels.length === 0 ? [] : [`${state}: ${labels.join(', ')}`];
    });
    if (parts.length === 0) status.clear();
    else status.show([`${done} of ${Math.max(count, states.size)} done`, ...parts].join(' · '));
  }

  return {
    start(labels) {
      count = labels.length;
    },
    state(label, state) {
      const isNews = states.get(label) !== state;
      states.set(label, state);
      if (!isNews || state === 'queued') return;
      status.clear();
      if (!hasEnded(state)) out(`${printable(label)}: ${state}`);
      showStatus();
    },
    ended(record) {
      status.clear();
      states.set(record.id, record.state);
      out(endLine(record));
      showStatus();
    },
    result({ outcome, jobs, questions, resume }, storeFlag) {
      status.clear();
      out(summaryOf(jobs));
      for (const { job, question } of questions) {
        err(`${printable(job)} asks ${printable(questionLine(question))}`);
        err(`  Show and answer it with: rondo inbox ${question.id}${storeFlag}`);
      }
      const isLeft = jobs.some(({ state }) => !hasEnded(state));
      if (outcome === 'needs-input') err(`Then resume with: ${resume}`);
      else if (isLeft) err(`Resume with: ${resume}`);
    },
    clear: () => status.clear(),
  };
}

function endLine({ id, state, reason, text = '' }: JobRecord): string {
  const ending = state === 'completed' ? text : (reason ?? '');
  return `${printable(id)}: ${state}${ending === '' ? '' : ` — ${oneLine(ending)}`}`;
}

/** `3 jobs: 2 completed, 1 failed. 120 tokens, $0` */
function summaryOf(jobs: readonly JobRecord[]): string {
  if (jobs.length === 0) return 'No jobs left to run';
  const parts = (
    ['completed', 'failed', 'timed-out', 'cancelled', 'waiting', 'stalled', 'running', 'queued'] as const
  )
    .map((wanted) => ({ wanted, count: jobs.filter(({ state }) => state === wanted).length }))
    .flatMap(({ wanted, count }) => (count === 0 ? [] : [`${count} ${wanted}`]));
  const spent = jobs.flatMap((job) => job.spent ?? []);
  const tokens = spent.reduce((sum, each) => sum + each.tokens, 0);
  const cost = spent.reduce((sum, each) => sum + each.cost, 0);
  const costIsKnown = spent.every((each) => each.costIsKnown);
  return `${counted(jobs.length, 'job')}: ${parts.join(', ')}. ${tokensText(tokens)}, ${costText({ cost, costIsKnown })}`;
}
