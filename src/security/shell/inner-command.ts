import type { AssignmentFact } from './segment.ts';
import type { ShellWord } from './shell-word.ts';

/** A command inside the words of another one: `ls` in `sudo ls`, `a; b` in `bash -c 'a; b'`. */
export type InnerCommand =
  | {
      readonly type: 'argv';
      readonly via: string;
      readonly words: readonly ShellWord[];
      readonly assignments: readonly AssignmentFact[];
    }
  | { readonly type: 'code'; readonly via: string; readonly code: ShellWord; readonly shell: Shell };

/** The shell whose grammar applies. `other` is parsed as bash and never trusted. */
export type Shell = 'bash' | 'sh' | 'other';

/** `doubt` is the reason why more may run than `inner` shows. */
export type Unwrapped = { readonly inner: readonly InnerCommand[]; readonly doubt?: string };

export function innerCode(via: string, code: ShellWord, shell: Shell): InnerCommand {
  return { type: 'code', via, code, shell };
}

/** Joins words that a shell will parse again, as one line. */
export function joinedCode(via: string, words: readonly ShellWord[], shell: Shell): InnerCommand {
  const kind = words.every((word) => word.kind === 'static') ? 'static' : 'dynamic';
  return innerCode(via, { text: words.map((word) => word.text).join(' '), kind }, shell);
}
