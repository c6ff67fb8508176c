/** Output of a run: JSON Lines for programs, the reply for people, both as it happens. */
import type { Recorded } from '../../kernel/event.ts';
import type { PushSettled } from '../../kernel/place.ts';
import type { Update } from '../../session/update.ts';
import type { Result } from '../../views/result.ts';

export interface RunOutput {
  /** Records an event of the turn from before this run resumed it, without printing it. */
  earlier(recorded: Recorded): void;
  update(update: Update): void;
  /** Shows what runs where, before the first call. Only for people. */
  begin(heading: string): void;
  /** One of several prompts was answered, and others follow. */
  replied(record: RunRecord): void;
  /** `asked`: the open questions as lines for people. */
  result(record: RunRecord, asked?: readonly string[]): void;
  /** Removes transient output. */
  clear(): void;
}

export interface RunRecord extends Result {
  /** The command that resumes the session. */
  readonly resume: string;
  /** For a run with several prompts: how many were given, and how many completed. */
  readonly prompts?: { readonly given: number; readonly completed: number };
  /** The worktree, if the run worked in one. */
  readonly worktree?: {
    readonly name: string;
    readonly path: string;
    readonly branch: string;
    readonly files: number;
  };
  /** The branch with the result, if the run worked on a repository and changed something. */
  readonly branch?: PushSettled;
}

export interface OutputStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function createJsonOutput({ out }: OutputStreams): RunOutput {
  return {
    earlier: () => undefined,
    update(update) {
      switch (update.type) {
        case 'event': {
          const { seq, at, by } = update.recorded;
          // Splice in the event's JSON, which was serialized once for the journal.
          out(`{"seq":${seq},"at":${at},"by":${JSON.stringify(by)},${update.json.slice(1)}\n`);
          return;
        }
        case 'progress':
        case 'gap':
          out(`${JSON.stringify(update)}\n`);
          return;
        case 'snapshot':
          return;
      }
    },
    begin: () => undefined,
    replied: () => undefined,
    result: (record) => out(`${JSON.stringify(record)}\n`),
    clear: () => undefined,
  };
}
