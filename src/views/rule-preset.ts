/**
 * Presets of a session's rules, which a key cycles through. They are rules, not modes: every client sees them, and
 * protected paths, deletions, pushes and everything outside the folder ask in each of them.
 */
import { ruleToText, type Rule } from '../kernel/rule.ts';

export type Preset = 'ask' | 'accept-edits' | 'auto';

export const presetNames: Readonly<Record<Preset, string>> = {
  ask: 'ask',
  'accept-edits': 'accept edits',
  auto: 'auto in sandbox',
};

const allow = (tool: string): Rule => ({ verdict: 'allow', tool, origin: 'session' });

const accepting: readonly Rule[] = [allow('edits')];

/** Sets of calls. Commands in the sandbox run unasked already; auto also commits and runs the project's checks. */
const rulesFor: Readonly<Record<Preset, readonly Rule[]>> = {
  ask: [],
  'accept-edits': accepting,
  auto: [...accepting, allow('commits'), allow('checks')],
};

export function presetOf(rules: readonly Rule[]): Preset {
  const own = new Set(rules.filter(isPreset).map(ruleToText));
  const has = (preset: Preset) => rulesFor[preset].every((rule) => own.has(ruleToText(rule)));
  return has('auto') ? 'auto' : has('accept-edits') ? 'accept-edits' : 'ask';
}

/** Rule changes that switch a session to another preset. All other rules stay. */
export function presetChange(preset: Preset): {
  readonly add: readonly Rule[];
  readonly remove: readonly string[];
} {
  return { add: rulesFor[preset], remove: rulesFor.auto.map(ruleToText) };
}

/** Auto is left out without a working sandbox. */
export function presetAfter(preset: Preset, { hasSandbox }: { readonly hasSandbox: boolean }): Preset {
  switch (preset) {
    case 'ask':
      return 'accept-edits';
    case 'accept-edits':
      return hasSandbox ? 'auto' : 'ask';
    case 'auto':
      return 'ask';
  }
}

function isPreset({ verdict, origin, pattern, tool }: Rule): boolean {
  const isOwn = verdict === 'allow' && origin === 'session' && pattern === undefined;
  return isOwn && rulesFor.auto.some((rule) => rule.tool === tool);
}
