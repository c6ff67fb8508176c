import type { Verdict } from '../../kernel/rule.ts';
import type { Tone } from '../terminal.ts';

export const toneOfVerdict: Readonly<Record<Verdict, Tone>> = { allow: 'good', ask: 'warning', deny: 'bad' };
