import type { Ending, FailureCode } from '../kernel/outcome.ts';

/** How a turn ended. */
export function endingText(ending: Ending): string {
  switch (ending.type) {
    case 'completed':
      return 'Completed';
    case 'cancelled':
      return ending.reason === undefined ? 'Stopped' : `Stopped: ${ending.reason}`;
    case 'timed-out':
      return `Timed out: ${ending.message}`;
    case 'failed':
      return `Failed: ${ending.message} (${ending.code})`;
  }
}

/** What went wrong, as a heading over the message. */
export function failureTitle(code: FailureCode): string {
  switch (code) {
    case 'limit-steps':
    case 'limit-tool-calls':
    case 'limit-rejections':
    case 'limit-denials':
    case 'limit-tokens':
    case 'limit-cost':
    case 'limit-wall-time':
    case 'limit-children':
      return 'Limit reached';
    case 'model-auth':
      return 'The provider refused the key';
    case 'model-refused':
      return 'The model refused';
    case 'model-unavailable':
      return "Can't reach the model";
    case 'model-rate-limited':
      return 'Rate limit reached';
    case 'model-invalid':
      return 'The provider refused the request';
    case 'model-context-full':
      return 'Context full';
    case 'errors-in-row':
      return 'Too many errors in a row';
    case 'crash-loop':
      return 'Stopped after repeated crashes';
    case 'looping':
      return 'The agent repeated itself';
    case 'stuck':
      return 'The agent got stuck';
    case 'agent-failed':
    case 'agent-unavailable':
    case 'agent-timeout':
      return 'The agent failed';
    case 'reply-rejected':
      return 'Reply rejected';
    case 'compaction-failed':
      return "Can't summarize the conversation";
    case 'task-failed':
    case 'task-refused':
    case 'tool-only':
    case 'job-failed':
    case 'fault':
      return 'Turn failed';
  }
}
