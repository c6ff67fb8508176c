/**
 * An interaction mode is data: who may be asked, what needs approval, whether a model answers, and what ends a run.
 * Front ends differ in IO, never in mode. A program may define its own.
 */
export interface Mode {
  readonly name: string;
  /** Whether a question may wait for a person. With `nobody`, anything without an allow rule is denied. */
  readonly asks: 'anyone' | 'nobody';
  /** Which calls need approval: as the policy says, or every call. */
  readonly calls: 'by-policy' | 'every';
  /** Whether a final reply needs approval before the turn ends. */
  readonly replies: 'free' | 'reviewed';
  /** `none`: tasks go straight to tools, and chat is refused. */
  readonly model: 'answers' | 'none';
  /** What ends `session.run`: a finished turn, an empty queue, or only the end of inputs. */
  readonly ends: 'after-turn' | 'when-idle' | 'when-inputs-end';
  /** `calls-first`: a line that parses as a tool call is one, any other is a prompt. Default: every line is a prompt. */
  readonly lines?: 'calls-first';
}

const interactive: Mode = {
  name: 'interactive',
  asks: 'anyone',
  calls: 'by-policy',
  replies: 'free',
  model: 'answers',
  ends: 'when-inputs-end',
};

/** The named interaction modes. */
export const modes = {
  interactive,
  supervised: { ...interactive, name: 'supervised', calls: 'every', replies: 'reviewed' },
  batch: { ...interactive, name: 'batch', asks: 'nobody', ends: 'when-idle' },
  repl: { ...interactive, name: 'repl', lines: 'calls-first' },
  'tool-only': { ...interactive, name: 'tool-only', model: 'none', lines: 'calls-first' },
} as const satisfies Record<string, Mode>;

export type ModeName = keyof typeof modes;

export function isModeName(name: string): name is ModeName {
  return Object.hasOwn(modes, name);
}
