/** What a run writes: JSON Lines for programs, the reply for people, both as it happens. */
import type { Recorded } from '../../kernel/event.ts';
import type { Update } from '../../session/update.ts';
import type { Result } from '../../views/result.ts';

export interface RunOutput {
  /** What the running turn did before this run took it up: known, and not told again. */
  earlier(recorded: Recorded): void;
  update(update: Update): void;
  /** One prompt of several was answered; others follow. */
  replied(record: RunRecord): void;
  /** `asked`: the open questions as lines for people. */
  result(record: RunRecord, asked?: readonly string[]): void;
  /** Takes away what is only shown for the moment. */
  clear(): void;
}

export interface RunRecord extends Result {
  /** The command that goes on with the session. */
  readonly resume: string;
  /** Of a run with several prompts: how many were given and how many were completed. */
  readonly prompts?: { readonly given: number; readonly completed: number };
  /** Where the work is, if it was done in a worktree. */
  readonly worktree?: {
    readonly name: string;
    readonly path: string;
    readonly branch: string;
    readonly files: number;
  };
}

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function createJsonOutput({ out }: Streams): RunOutput {
  return {
    earlier: () => undefined,
    update(update) {
      switch (update.type) {
        case 'event': {
          const { seq, at, by } = update.recorded;
          // The event's own text is spliced in: serialised once, when it was journaled.
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
    replied: () => undefined,
    result: (record) => out(`${JSON.stringify(record)}\n`),
    clear: () => undefined,
  };
}
