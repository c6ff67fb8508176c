/**
 * A turn of a coding agent: a prompt, and calls in the agent's order. Written by hand after public traces of
 * agents: they search, read, edit, run, check again and commit.
 */
export interface RecordedTurn {
  readonly prompt: string;
  /** Each entry has the calls of one reply. */
  readonly replies: readonly (readonly RecordedCall[])[];
}

export interface RecordedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** How it ends without a sandbox. Any other ending is a mistake in the turn. */
  readonly ends: 'success' | 'failure';
  /** Pushes, publishes or reaches outside, so it must ask whatever was granted. The value is the person's answer. */
  readonly mustAsk?: 'allow' | 'reject';
}

/** A repository of one kind, created by the benchmark. `{root}` in a command is its folder. */
export interface RecordedRepository {
  readonly kind: string;
  readonly files: Readonly<Record<string, string>>;
  /** Executable files, such as hooks. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Run by bash after the first commit, in the repository. */
  readonly prepare?: string;
  /** The session's folder beside the repository's, if it is a different one; `prepare` creates it. */
  readonly workFolder?: string;
  /** Turns of an earlier day: their approvals are the grants of the warm runs. They aren't measured. */
  readonly earlier: readonly RecordedTurn[];
  readonly turns: readonly RecordedTurn[];
}

/** Each argument is one reply: a call, or several calls together. */
export function turn(
  prompt: string,
  ...replies: readonly (RecordedCall | readonly RecordedCall[])[]
): RecordedTurn {
  return { prompt, replies: replies.map((reply) => (isCall(reply) ? [reply] : reply)) };
}

function isCall(reply: RecordedCall | readonly RecordedCall[]): reply is RecordedCall {
  return 'tool' in reply;
}

function call(tool: string, args: RecordedCall['args']): RecordedCall {
  return { tool, args, ends: 'success' };
}

export const sh = (command: string): RecordedCall => call('shell', { command });
/**
 * For work that the sandbox prevents, mainly network access: the agent asks to leave it. Without a sandbox nothing
 * changes.
 */
export const online = (command: string): RecordedCall => call('shell', { command, unconfined: true });
export const read = (path: string): RecordedCall => call('read', { path });
export const write = (path: string, content: string): RecordedCall => call('write', { path, content });
export const edit = (path: string, oldText: string, newText: string): RecordedCall =>
  call('edit', { path, edits: [{ old_text: oldText, new_text: newText }] });
export const grep = (pattern: string, path = '.'): RecordedCall => call('grep', { pattern, path });
export const glob = (pattern: string): RecordedCall => call('glob', { pattern });
export const list = (path: string): RecordedCall => call('list', { path });
export const gitStatus = call('git_status', {});
export const gitDiff = call('git_diff', {});
export const gitLog = call('git_log', {});
export const gitCommit = (message: string, ...paths: readonly string[]): RecordedCall =>
  call('git_commit', { message, ...(paths.length > 0 && { paths }) });
export const runTests = call('run_tests', {});

/** Tests that fail before the fix, a search without a match. */
export const failing = (recorded: RecordedCall): RecordedCall => ({ ...recorded, ends: 'failure' });
export const mustAsk = (recorded: RecordedCall, answer: 'allow' | 'reject'): RecordedCall => ({
  ...recorded,
  mustAsk: answer,
});

export const manifestText = (manifest: object): string => JSON.stringify(manifest, null, 2);
