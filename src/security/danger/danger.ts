import { CODE_RULES } from './danger-code.ts';
import { DESTRUCTION_RULES } from './danger-destruction.ts';
import { EXFILTRATION_RULES } from './danger-exfiltration.ts';
import { HISTORY_RULES } from './danger-history.ts';
import { SENDING_RULES } from './danger-sending.ts';
import type { Danger, DangerRule } from './danger-rule.ts';
import { SYSTEM_RULES } from './danger-system.ts';
import type { ParsedCommand, Segment } from '../shell/segment.ts';

export type { Danger } from './danger-rule.ts';

export const DANGER_RULES: readonly DangerRule[] = [
  ...DESTRUCTION_RULES,
  ...SYSTEM_RULES,
  ...EXFILTRATION_RULES,
  ...CODE_RULES,
  ...HISTORY_RULES,
  ...SENDING_RULES,
];

/** Finds every danger in a command, in segment order. */
export function dangersOf(parsed: ParsedCommand): readonly Danger[] {
  if (parsed.type === 'unparsed') {
    return [{ rule: 'unparsed', severity: 'ask', reason: `can't be parsed: ${parsed.reason}` }];
  }
  const { segments } = parsed;
  return segments.flatMap((segment, index) => [known(segment, index, segments), unknown(segment, index)].flat());
}

function known(segment: Segment, index: number, segments: readonly Segment[]): readonly Danger[] {
  const rules = DANGER_RULES.filter((rule) => rule.matches(segment, index, segments));
  return rules.map(({ id, severity, reason }) => ({
    rule: id,
    severity,
    segment: index,
    reason: typeof reason === 'string' ? reason : reason(segment),
  }));
}

function unknown(segment: Segment, index: number): readonly Danger[] {
  if (!segment.opaque) return [];
  return [
    {
      rule: 'opaque',
      severity: 'ask',
      segment: index,
      reason: segment.doubt ?? "runs code that can't be analyzed",
    },
  ];
}
