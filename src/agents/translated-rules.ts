import { matchesPattern } from '../kernel/rule.ts';

/** Permission rules of another agent as Rondo's. A deny or ask may become wider by translation, an allow never. */
export interface TranslatedRules {
  readonly rules: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
  /** What has no equivalent: where it is written, and what. */
  readonly unknown: readonly { readonly list: string; readonly text: string }[];
}

export type RuleList = 'allow' | 'ask' | 'deny';

/** Everything that changes files. */
export const FILE_CHANGES = ['edit', 'write', 'delete'] as const;

export function rulesFor(tools: readonly string[], pattern: string): readonly string[] {
  return tools.map((tool) => `${tool}(${pattern})`);
}

/**
 * A pattern in the manner of .gitignore: a name without a slash is meant in every folder, and a folder with everything
 * in it.
 */
export function ignorePatterns(pattern: string, list: RuleList): readonly string[] {
  const isAnchored = /^\.?\//.test(pattern) || pattern.slice(0, -1).includes('/') || pattern.startsWith('~');
  const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '/**');
  if (plain === '') return [];
  const placed = isAnchored || plain === '**' ? plain : `**/${plain}`;
  return list === 'allow' || placed.endsWith('**') ? [placed] : [placed, `${placed}/**`];
}

/**
 * Rules are written for the project's folder. In a session further down, paths start there: what the rules forbid of
 * that part is added.
 */
export function withRulesBelow(rules: TranslatedRules['rules'], folder: string): TranslatedRules['rules'] {
  if (folder === '') return rules;
  const add = (list: readonly string[]) => [...list, ...list.flatMap((rule) => ruleBelow(rule, folder))];
  return { allow: rules.allow, ask: add(rules.ask), deny: add(rules.deny) };
}

function ruleBelow(rule: string, folder: string): readonly string[] {
  const [, tool = '', pattern = ''] = /^(read|edit|write|delete)\((?![/~]|\*\*)(.+)\)$/.exec(rule) ?? [];
  if (tool === '') return [];
  const rest = pattern.split('/');
  for (const name of folder.split('/')) {
    const part = rest.shift();
    if (part === '**') return [`${tool}(${['**', ...rest].join('/')})`];
    if (part === undefined || !matchesPattern(part, name, 'parts')) return [];
  }
  return [`${tool}(${rest.length === 0 ? '**' : rest.join('/')})`];
}
