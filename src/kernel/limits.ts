/**
 * Hard limits: reaching one ends the turn with a failure that names it. Steps, tool calls, rejections, denials and
 * errors count per turn; tokens, cost and `totalToolCalls` for the whole session and its children.
 */
export interface Limits {
  readonly steps: number;
  readonly toolCalls: number;
  /** Calls or replies that a person rejected in one turn. */
  readonly rejections: number;
  /** Calls that the policy denied in one turn. */
  readonly denials: number;
  readonly errorsInRow: number;
  /** Pause after a runtime error. */
  readonly errorPauseMs: number;
  readonly queuedPrompts: number;
  readonly callsInFlight: number;
  /** Live workers, including places allotted to them. */
  readonly children: number;
  /** How often an interrupted model call is repeated before the session asks. */
  readonly modelRepeats: number;
  /** Consecutive recoveries without progress before the turn is given up. */
  readonly recoveries: number;
  /**
   * How often a call may return the same result, or a tool the same error, in one turn before it ends as looping.
   * The model is warned at half of it. Default 10; 0 disables it.
   */
  readonly repeats?: number;
  /** The count at which a person is asked first, if one can be asked. */
  readonly repeatsToAsk?: number;
  /** How long cancelled effects may take to settle before they are killed. */
  readonly cancelGraceMs: number;
  readonly tokens?: number;
  readonly cost?: number;
  readonly totalToolCalls?: number;
  readonly wallTimeMs?: number;
  readonly questionExpiryMs?: number;
  readonly maxOutputTokens?: number;
  /** The model's context window, if it differs from the known one. */
  readonly contextTokens?: number;
  /** The share of the window at which the conversation is summarized (default 0.8). */
  readonly compactAt?: number;
}

/** Every limit and its kind: a whole number, an amount or a share. Schemas are generated from it. */
export const limitKinds = {
  steps: 'count',
  toolCalls: 'count',
  totalToolCalls: 'count',
  rejections: 'count',
  denials: 'count',
  errorsInRow: 'count',
  errorPauseMs: 'count',
  queuedPrompts: 'count',
  callsInFlight: 'count',
  children: 'count',
  modelRepeats: 'count',
  recoveries: 'count',
  repeats: 'count',
  repeatsToAsk: 'count',
  cancelGraceMs: 'count',
  tokens: 'count',
  cost: 'amount',
  wallTimeMs: 'count',
  questionExpiryMs: 'count',
  maxOutputTokens: 'count',
  contextTokens: 'count',
  compactAt: 'share',
} as const satisfies Record<keyof Limits, 'count' | 'amount' | 'share'>;

export const defaultLimits: Limits = {
  steps: 50,
  toolCalls: 50,
  rejections: 2,
  denials: 10,
  errorsInRow: 3,
  errorPauseMs: 3000,
  queuedPrompts: 100,
  callsInFlight: 10,
  children: 10,
  modelRepeats: 2,
  recoveries: 5,
  cancelGraceMs: 5000,
};

/** Records only what differs from the defaults. */
export function limitsFrom(overrides: Partial<Limits> | undefined): Limits {
  return overrides === undefined ? defaultLimits : { ...defaultLimits, ...overrides };
}

export function limitsBeyondDefaults(limits: Limits): Partial<Limits> {
  const defaults: Readonly<Record<string, unknown>> = { ...defaultLimits };
  return Object.fromEntries(Object.entries(limits).filter(([name, value]) => defaults[name] !== value));
}

/** Limits for which a smaller number is stricter. */
export const tighteningLimits: ReadonlySet<string> = new Set<keyof Limits>([
  'steps',
  'toolCalls',
  'totalToolCalls',
  'rejections',
  'denials',
  'errorsInRow',
  'queuedPrompts',
  'callsInFlight',
  'children',
  'modelRepeats',
  'recoveries',
  'tokens',
  'cost',
  'wallTimeMs',
  'maxOutputTokens',
]);

/** Lowers each limit to its cap. */
export function cappedLimits(limits: Partial<Limits>, caps: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, Math.min(value, caps[name as keyof Limits] ?? value)]),
  );
}
