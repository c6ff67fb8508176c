/** What a call does, from harmless to unpredictable. A grant stores its effect and covers no call that does more. */
export type Effect = (typeof effects)[number];

/** In order: a later effect exceeds all earlier ones. */
export const effects = [
  'look',
  'edit',
  'repository',
  'build',
  'network',
  'delete',
  'outside',
  'send',
  'unknown',
] as const;

interface EffectMeaning {
  /** The color in front ends. */
  readonly risk: 'neutral' | 'amber' | 'crimson';
  /** Whether Rondo or git can undo it. */
  readonly canBeUndone: boolean;
  /** Completes "this command …". */
  readonly words: string;
}

export const effectMeanings: Readonly<Record<Effect, EffectMeaning>> = {
  look: { risk: 'neutral', canBeUndone: true, words: 'only reads' },
  edit: { risk: 'neutral', canBeUndone: true, words: 'changes files in this folder' },
  repository: { risk: 'neutral', canBeUndone: true, words: 'changes the git repository' },
  build: { risk: 'amber', canBeUndone: false, words: 'runs code from this folder, which the agent can change' },
  network: { risk: 'amber', canBeUndone: false, words: 'uses the network' },
  delete: { risk: 'crimson', canBeUndone: false, words: 'deletes files' },
  outside: { risk: 'crimson', canBeUndone: false, words: 'reaches outside this folder' },
  send: { risk: 'crimson', canBeUndone: false, words: 'sends data to others' },
  unknown: { risk: 'crimson', canBeUndone: false, words: 'has effects that Rondo cannot know' },
};

export function exceeds(effect: Effect, limit: Effect): boolean {
  return effects.indexOf(effect) > effects.indexOf(limit);
}

export function isEffect(text: string): text is Effect {
  return (effects as readonly string[]).includes(text);
}
