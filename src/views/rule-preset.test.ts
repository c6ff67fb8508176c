import { expect, test } from 'vitest';

import { rulesAfter, ruleToText, type Rule } from '../kernel/rule.ts';
import { presetAfter, presetChange, presetOf, type Preset } from './rule-preset.ts';

const withPreset = (rules: readonly Rule[], preset: Preset) => rulesAfter(rules, presetChange(preset));

const own: readonly Rule[] = [
  { verdict: 'deny', tool: 'shell', pattern: 'git push*', origin: 'project' },
  { verdict: 'allow', tool: 'edit', pattern: 'test/**', origin: 'session' },
  { verdict: 'allow', tool: 'edits', origin: 'user' },
];

test('[P8] a preset adds rules of the session and takes only its own away again', () => {
  const accepting = withPreset(own, 'accept-edits');
  expect(accepting.map(ruleToText)).toEqual(['shell(git push*)', 'edit(test/**)', 'edits', 'edits']);
  expect([presetOf(own), presetOf(accepting), presetOf(withPreset(accepting, 'auto'))]).toEqual([
    'ask',
    'accept-edits',
    'auto',
  ]);
  expect(withPreset(withPreset(accepting, 'auto'), 'ask')).toEqual(own);
});

test('[P8] auto is left out without a working sandbox', () => {
  const cycle = (hasSandbox: boolean) => {
    const first = presetAfter('ask', { hasSandbox });
    const second = presetAfter(first, { hasSandbox });
    return [first, second, presetAfter(second, { hasSandbox })];
  };
  expect(cycle(true)).toEqual(['accept-edits', 'auto', 'ask']);
  expect(cycle(false)).toEqual(['accept-edits', 'ask', 'accept-edits']);
});
