// The analysis of a command line: every simple command it could execute, as a flat list.
//
// Invariants
// 1. Every part of the input that a shell could execute is one of the segments, or a segment that could run it is
//    `opaque`, or the whole is `unparsed`. Nothing is dropped.
// 2. `words` are the arguments as the program gets them, if known. An index listed in `dynamic` refers to a word
//    known only at run time, shown as written.
// 3. A segment without words runs no program: it sets variables or opens files.
export type ParsedCommand = { readonly type: 'parsed'; readonly segments: readonly Segment[] } | Unparsed;

export type Unparsed = {
  readonly type: 'unparsed';
  readonly reason: string;
  readonly at: number;
};

export type Segment = {
  readonly words: readonly string[];
  readonly dynamic: readonly number[];
  /** The words joined by single spaces, each quoted if it would otherwise read as several. */
  readonly text: string;
  /** True if the words don't reveal what this segment runs. `doubt` is the reason. */
  readonly opaque: boolean;
  readonly doubt?: string;
  /** The wrappers around it, outermost first: `subshell`, `sudo`, `bash -c` … */
  readonly via: readonly string[];
  readonly assignments: readonly AssignmentFact[];
  readonly redirects: readonly RedirectFact[];
  /** The content of its here-document or here-string. */
  readonly input?: string;
  readonly background: boolean;
  /** Its place in a pipeline of several stages. */
  readonly pipe?: PipePlace;
  /** The index of the segment whose words, redirections or wrapped code contain this one. */
  readonly within?: number;
};

export type AssignmentFact = {
  readonly name: string;
  readonly value: string;
  readonly dynamic: boolean;
};

export type RedirectFact = {
  readonly kind: 'read' | 'write' | 'append';
  readonly target: string;
  readonly dynamic: boolean;
};

export type PipePlace = { readonly group: number; readonly stage: number };
