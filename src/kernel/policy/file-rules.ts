import type { Rule } from '../rule.ts';

/** A rule on named files: what it keeps from being done with them. */
export type FileUse = 'read' | 'change';

const uses: ReadonlyMap<string, FileUse> = new Map([
  ['read', 'read'],
  ['write', 'change'],
  ['edit', 'change'],
  ['delete', 'change'],
]);

export function fileUseOf({ tool }: Rule): FileUse | undefined {
  return uses.get(tool);
}

/** The deny and ask rules on named files. What the words of the prompt forbid is judged by call. */
export function fileRulesAmong(rules: readonly Rule[]): readonly Rule[] {
  return rules.filter(
    (rule) =>
      rule.verdict !== 'allow' &&
      rule.pattern !== undefined &&
      rule.origin !== 'prompt' &&
      fileUseOf(rule) !== undefined,
  );
}
