/** The result line of a failed run. It is always the last line of `--json`. */
import type { SessionId } from '../../kernel/ids.ts';
import { describeProblem } from '../problem.ts';
import type { RunRecord } from './run-output.ts';

/** Without a session if the run failed before creating one. */
type BrokenRun = Omit<RunRecord, 'session' | 'resume'> & Partial<Pick<RunRecord, 'session' | 'resume'>>;

export function brokenRun(
  error: unknown,
  begun?: { readonly session: SessionId; readonly resume: string },
): BrokenRun {
  return {
    type: 'result',
    ...begun,
    outcome: 'failed',
    reason: describeProblem(error, 'run').lines.join('\n'),
    text: '',
    usage: { inputTokens: 0, outputTokens: 0, cost: 0, costIsKnown: true },
    steps: 0,
    toolCalls: 0,
    questions: [],
    refusals: [],
  };
}

/** Checked before options are parsed, so that an error in them is also reported as JSON. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}
