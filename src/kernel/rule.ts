import { isEffect, type Effect } from './effect.ts';
import { optional } from './optional.ts';

/**
 * Policy rules: `tool` or `tool(pattern)`, each with a verdict and an origin. In a path, `*` matches within a
 * segment, `**` anything, `?` one character. In commands and URLs, which have no segments, `*` and `**` match
 * anything. A pattern that starts with `=` has no wildcards.
 *
 * A grant also states its bounds: `shell(npm test *) [build 3f2a9c in packages/a]` covers no call with a larger
 * effect than `build`, no other folder, and no changed script.
 */
export interface Rule {
  readonly verdict: Verdict;
  readonly tool: string;
  readonly pattern?: string;
  /** For a grant: the largest allowed effect. */
  readonly effect?: Effect;
  /** For a grant: the digest of the command's script. */
  readonly pin?: string;
  /** For a grant: its folder, if not the session's. */
  readonly folder?: string;
  /** Exceptions as patterns: `deny write` unless `test/**`. */
  readonly unless?: readonly string[];
  readonly origin: RuleOrigin;
  /** The words of the prompt behind it. */
  readonly because?: string;
}

export type Verdict = 'allow' | 'ask' | 'deny';
/** `prompt`: derived from words of the prompt, and overridden by any other allowing rule or grant. */
export type RuleOrigin = 'managed' | 'built-in' | 'user' | 'project' | 'agent' | 'session' | 'flag' | 'prompt';

const ruleShape = /^([A-Za-z0-9_.:*-]+)(?:\((.*)\))?$/s;
const grantShape = /^(.*) \[([a-z]+)(?: ([0-9a-f]{8,64}))?(?: in ([^\]]+))?\]$/s;

/** Parses a rule such as `shell(git status*)`. Undefined if invalid. */
export function parseRule(text: string, verdict: Verdict, origin: RuleOrigin): Rule | undefined {
  const [, body = text, effect, pin, folder] = grantShape.exec(text.trim()) ?? [];
  if (effect !== undefined && !isEffect(effect)) return undefined;
  const match = ruleShape.exec(body.trim());
  if (match === null) return undefined;
  const [, tool = '', pattern] = match;
  return {
    verdict,
    tool,
    ...(pattern !== undefined && pattern !== '' && { pattern }),
    ...optional({ effect, pin, folder }),
    origin,
  };
}

export function ruleToText(rule: Rule): string {
  const { tool, pattern, effect, pin, folder, unless } = rule;
  const text = pattern === undefined ? tool : `${tool}(${pattern})`;
  const place = folder === undefined ? [] : [`in ${folder}`];
  const bounded =
    effect === undefined ? text : `${text} [${[effect, ...(pin === undefined ? [] : [pin]), ...place].join(' ')}]`;
  return unless === undefined ? bounded : `${bounded} unless ${unless.join(' or ')}`;
}

/**
 * Adds bounds to a grant of the first release, which stored none. With a wildcard it now covers only reading
 * commands; exact text covers what it always did.
 */
export function boundedGrant(grant: Rule): Rule {
  const isWide = grant.tool === 'shell' && grant.pattern !== undefined && hasWildcard(grant.pattern);
  return isWide && grant.effect === undefined ? { ...grant, effect: 'look' } : grant;
}

/** Whether a session may end it. Rules of configuration files stay where they are written. */
export function isOwnRule({ origin }: Rule): boolean {
  return origin === 'session' || origin === 'flag' || origin === 'prompt';
}

/** Removes own rules by their text, then adds others. */
export function rulesAfter(
  rules: readonly Rule[],
  { add = [], remove = [] }: { readonly add?: readonly Rule[]; readonly remove?: readonly string[] },
): readonly Rule[] {
  return [...rules.filter((rule) => !isOwnRule(rule) || !remove.includes(ruleToText(rule))), ...add];
}

/** Whether more than one text can match. */
export function hasWildcard(pattern: string): boolean {
  return !pattern.startsWith('=') && /[*?]/.test(pattern);
}

/** The pattern that matches only this text. */
export function exactPattern(text: string): string {
  return hasWildcard(text) || text.startsWith('=') ? `=${text}` : text;
}

/** Prefixes that stand for a family of built-in tools: `git(…)` for `git_status`, `git_commit` … */
const families: ReadonlySet<string> = new Set(['git', 'web']);

export function matchesTool(rule: Rule, tool: string): boolean {
  if (rule.tool === '*' || rule.tool === tool) return true;
  if (families.has(rule.tool)) return tool.startsWith(`${rule.tool}_`);
  return rule.tool.includes('*') && matchesPattern(rule.tool, tool, 'text');
}

/** Wildcard match in O(pattern × subject), so that no rule can hang a session. */
export function matchesPattern(pattern: string, subject: string, kind: 'text' | 'parts'): boolean {
  if (pattern.startsWith('=')) return subject === pattern.slice(1);
  const tokens = tokensOf(pattern, kind);
  let places = new Set<number>();
  reach(tokens, 0, places);
  for (const char of subject) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined || !takes(token, char)) continue;
      reach(tokens, token.type === 'run' ? place : place + 1, next);
    }
    if (next.size === 0) return false;
    places = next;
  }
  // `git status *` also covers the bare command
  const isBare = kind === 'text' && pattern.endsWith(' *') && places.has(tokens.length - 2);
  return isBare || places.has(tokens.length);
}

type Token =
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'one'; readonly deep: boolean }
  | { readonly type: 'run'; readonly deep: boolean }
  /** Optional: a `**` folder also matches no folder at all. */
  | { readonly type: 'maybe' };

function tokensOf(pattern: string, kind: 'text' | 'parts'): readonly Token[] {
  const tokens: Token[] = [];
  const chars = Array.from(pattern);
  for (let index = 0; index < chars.length; index += 1) {
    const char = chars[index] ?? '';
    if (char === '*') {
      const startsPart = index === 0 || chars[index - 1] === '/';
      const isDouble = chars[index + 1] === '*';
      while (chars[index + 1] === '*') index += 1;
      if (kind === 'parts' && isDouble && startsPart && chars[index + 1] === '/') tokens.push({ type: 'maybe' });
      tokens.push({ type: 'run', deep: kind === 'text' || isDouble });
    } else if (char === '?') tokens.push({ type: 'one', deep: kind === 'text' });
    else tokens.push({ type: 'char', char });
  }
  return tokens;
}

function takes(token: Token, char: string): boolean {
  switch (token.type) {
    case 'char':
      return token.char === char;
    case 'one':
    case 'run':
      return token.deep || char !== '/';
    case 'maybe':
      return false;
  }
}

/** Adds a position and those reachable from it without consuming a character. */
function reach(tokens: readonly Token[], place: number, places: Set<number>): void {
  if (places.has(place)) return;
  places.add(place);
  const type = tokens[place]?.type;
  if (type === 'run' || type === 'maybe') reach(tokens, place + 1, places);
  if (type === 'maybe') reach(tokens, place + 3, places);
}
