// What a command line comes to: every simple command it could execute, flat.
//
// Invariants
// 1. Every part of the input that a shell could execute is one of the segments, or a segment that
//    could run it is `opaque`, or the whole is `unparsed`. Nothing is dropped.
// 2. `words` are the arguments as the program gets them where that is known; an index listed in
//    `dynamic` names a word that is known only when run, shown as it was written.
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
  /** The words joined by one space, each quoted where it would otherwise read as several. */
  readonly text: string;
  /** What this segment runs cannot be read from its words; `doubt` says why. */
  readonly opaque: boolean;
  readonly doubt?: string;
  /** What it was reached through, outermost first: `subshell`, `sudo`, `bash -c` … */
  readonly via: readonly string[];
  readonly assignments: readonly AssignmentFact[];
  readonly redirects: readonly RedirectFact[];
  /** What a here-document or here-string feeds it. */
  readonly input?: string;
  readonly background: boolean;
  /** Its place in a pipeline of several stages. */
  readonly pipe?: PipePlace;
  /** The index of the segment whose words, redirections or wrapped code hold this one. */
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
