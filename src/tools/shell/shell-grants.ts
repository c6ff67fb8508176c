import type { SegmentFact } from '../../kernel/call.ts';
import { setGrant } from '../../kernel/policy/set-grant.ts';
import { exactPattern, ruleToText } from '../../kernel/rule.ts';
import type { PathFact } from '../define/tool-path.ts';
import { optional } from '../../kernel/optional.ts';

/**
 * The grants that "for this session" and "always" add for a command line: for each part its exact words, or the
 * pattern that does no more, with its effect. Empty if a part always needs approval.
 */
export function shellGrants(
  segments: readonly SegmentFact[],
  patterns: ReadonlyMap<string, string>,
  written: readonly PathFact[],
): readonly string[] {
  const isOnce = segments.some(
    ({ text, opaque, once, effect }) =>
      opaque === true ||
      once === true ||
      effect === 'send' ||
      effect === 'outside' ||
      (text.includes('\n') && !patterns.has(text)),
  );
  const isGuarded = written.some(
    ({ inside, sensitive, protects }) => !inside || sensitive === true || protects !== undefined,
  );
  if (isOnce || isGuarded) return [];
  const asked = segments.filter(({ mild }) => mild !== true);
  const commands = (asked.length === 0 ? segments : asked).map(({ text, effect, pin, folder, set }) =>
    set !== undefined
      ? setGrant(set, effect)
      : ruleToText({
          verdict: 'allow',
          tool: 'shell',
          pattern: patterns.get(text) ?? exactPattern(text),
          effect: effect ?? 'unknown',
          ...optional({ pin, folder }),
          origin: 'session',
        }),
  );
  const files = written.map(({ path, set }) =>
    set !== undefined
      ? setGrant(set)
      : ruleToText({
          verdict: 'allow',
          tool: 'shell',
          pattern: exactPattern(path),
          effect: 'edit',
          origin: 'session',
        }),
  );
  return [...new Set([...commands, ...files])];
}
