import { Fault } from '../kernel/fault.ts';
import { usageProblemOf } from './usage-error.ts';

export interface CommandProblem {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** The message and exit code of a failed command. */
export function describeProblem(error: unknown, command: string): CommandProblem {
  const says = (message: string) => `rondo ${command}: ${message}`;
  if (!(error instanceof Error)) return { lines: [says(String(error))], exitCode: 1 };
  const { message, stack = message } = error;
  switch (usageProblemOf(error)) {
    case 'words':
      return { lines: [says(message), `Run \`rondo ${command} --help\` for its options.`], exitCode: 2 };
    case 'configuration':
      return { lines: [says("can't use the configuration"), message], exitCode: 2 };
    case undefined:
      break;
  }
  if (error instanceof Fault) return { lines: [says(message)], exitCode: error.code === 'not-found' ? 2 : 1 };
  if (process.env['RONDO_DEBUG'] !== undefined) return { lines: [says(stack)], exitCode: 1 };
  return { lines: [says(`internal error: ${message}`), 'Set RONDO_DEBUG=1 to see the stack trace.'], exitCode: 1 };
}
