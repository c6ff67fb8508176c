/**
 * Limits are hard: reaching one ends the turn with a failure that names it. Steps, tool calls,
 * rejections, denials and errors are counted per turn; tokens, cost and `totalToolCalls` over the whole
 * session and what it gave to its children.
 */
export interface Limits {
  readonly steps: number;
  readonly toolCalls: number;
  /** Calls or replies a person turned down in one turn. */
  readonly rejections: number;
  /** Calls the policy turned down in one turn. */
  readonly denials: number;
  readonly errorsInRow: number;
  /** Pause after a runtime error, before the next attempt. */
  readonly errorPauseMs: number;
  readonly queuedPrompts: number;
  readonly callsInFlight: number;
  /** Live workers, and places that these may fill themselves. */
  readonly children: number;
  /** How often a model call that a crash cut off is made again before the session asks. */
  readonly modelRepeats: number;
  /** Recoveries in a row without progress after which the turn is given up. */
  readonly recoveries: number;
  /**
   * How often a call may give the same result, or a tool the same error, in one turn before the turn ends as looping.
   * At half of it the model is warned. Default 10; 0: as often as it likes.
   */
  readonly repeats?: number;
  /** How often until a person is asked whether the turn goes on, where one can be asked. */
  readonly repeatsToAsk?: number;
  /** How long cancelled effects may take to settle before they count as killed. */
  readonly cancelGraceMs: number;
  readonly tokens?: number;
  readonly cost?: number;
  readonly totalToolCalls?: number;
  readonly wallTimeMs?: number;
  readonly questionExpiryMs?: number;
  readonly maxOutputTokens?: number;
  /** The model's context window, where it is another than the model is known to have. */
  readonly contextTokens?: number;
  /** The share of the window at which the conversation is summed up. Default 0.8. */
  readonly compactAt?: number;
}

/**
 * Every limit, and whether it is a whole number, an amount, or a share of one: what the schemas of files and of the
 * wire are made from.
 */
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

/** Only what differs from the defaults is recorded, so that an ordinary session carries no copy of them. */
export function limitsFrom(overrides: Partial<Limits> | undefined): Limits {
  return overrides === undefined ? defaultLimits : { ...defaultLimits, ...overrides };
}

export function limitsBeyondDefaults(limits: Limits): Partial<Limits> {
  const defaults: Readonly<Record<string, unknown>> = { ...defaultLimits };
  return Object.fromEntries(Object.entries(limits).filter(([name, value]) => defaults[name] !== value));
}

/** For these a smaller number is stricter. */
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

/** These limits, none of them above its cap. */
export function cappedLimits(limits: Partial<Limits>, caps: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, Math.min(value, caps[name as keyof Limits] ?? value)]),
  );
}
