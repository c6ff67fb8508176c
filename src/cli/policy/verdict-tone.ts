import type { Verdict } from '../../kernel/rule.ts';
import type { Tone } from '../../wording/terminal-style.ts';

export const toneOfVerdict: Readonly<Record<Verdict, Tone>> = { allow: 'good', ask: 'warning', deny: 'bad' };
