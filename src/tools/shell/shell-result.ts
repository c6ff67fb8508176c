import { StringDecoder } from 'node:string_decoder';

import type { ToolResult } from '../../kernel/outcome.ts';
import type { ToolRun } from '../../ports/tool.ts';
import type { ChildResult } from '../../processes/child-process.ts';
import { failure } from '../define/tool-failure.ts';

export const CHANGED =
  'The files this command reads changed after the permission check, so it did not run. Call it again to repeat the check.';

export function decodedProgress(context: ToolRun): (stream: 'stdout' | 'stderr', chunk: Buffer) => void {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  return (stream, chunk) => {
    const text = decoders[stream].write(chunk);
    if (text !== '') context.progress(text);
  };
}

/** The result of a finished command, for the model. */
export function shellResult(
  result: ChildResult,
  about: { readonly limit: number; readonly cwd: string; readonly notes: readonly string[] },
): ToolResult {
  const { outcome, stdout, stderr, killed } = result;
  const text = outputText(result);
  if (outcome.type === 'cancelled') return { type: 'cancelled', ...(text !== '' && { output: text }) };
  if (outcome.type === 'not-started')
    return failure('not-started', `Can't start the shell in ${about.cwd}: ${outcome.message}`);
  if (outcome.type === 'timed-out') {
    const report = text === '' ? 'It printed nothing.' : `Its output:\n${text}`;
    return failure(
      'timed-out',
      `The command timed out after ${about.limit / 1000} s and was ended with all its child processes. ${report}`,
      { retryable: true },
    );
  }
  const left =
    killed.length === 0 ? [] : [`[${killed.length} background processes were still running and were ended.]`];
  const status =
    outcome.type === 'signalled'
      ? [`[Ended by ${outcome.signal}.]`]
      : outcome.code === 0
        ? []
        : [`[Exit code ${outcome.code}]`];
  const notes = about.notes.map((note) => `[${note}]`);
  const parts = [text, ...status, ...left, ...notes].filter((part) => part !== '');
  return {
    type: 'success',
    output: parts.length === 0 ? '[No output; exit code 0.]' : parts.join('\n'),
    data: {
      exitCode: outcome.type === 'exited' ? outcome.code : null,
      ...(outcome.type === 'signalled' && { signal: outcome.signal }),
      stdoutBytes: stdout.bytes,
      stderrBytes: stderr.bytes,
      truncated: stdout.truncated || stderr.truncated || text.length > SHELL_OUTPUT_SHOWN,
      cwd: about.cwd,
      killed: killed.length,
    },
  };
}

function outputText({ stdout, stderr }: ChildResult): string {
  const out = stdout.text.trimEnd();
  const err = stderr.text.trimEnd();
  return [out, ...(err === '' ? [] : [`<stderr>\n${err}\n</stderr>`])].filter((part) => part !== '').join('\n');
}

/** How many characters of a command's output the model sees. The result holds all of it. */
export const SHELL_OUTPUT_SHOWN = 30_000;
