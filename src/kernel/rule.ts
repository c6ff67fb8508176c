import { isEffect, type Effect } from './effect.ts';

/**
 * Policy rules: `tool` or `tool(pattern)`, each with a verdict and its origin. A pattern's `*`
 * matches any run of characters within one path part, `**` any run at all, `?` one character; in
 * commands and addresses, which have no parts, `*` and `**` both match any run. A pattern that begins
 * with `=` has no wildcards.
 *
 * A grant also states how far it goes: `shell(npm test *) [build 3f2a9c in packages/a]` covers no call
 * whose effect exceeds `build`, none in another folder, and only while the script is as it was.
 */
export interface Rule {
  readonly verdict: Verdict;
  readonly tool: string;
  readonly pattern?: string;
  /** Of a grant: the most that a call may do. */
  readonly effect?: Effect;
  /** Of a grant: the digest of the script that the command runs. */
  readonly pin?: string;
  /** Of a grant: the folder it was given for, where that is not the session's. */
  readonly folder?: string;
  /** Patterns of what the rule does not hold for: `deny write` unless `test/**`. */
  readonly unless?: readonly string[];
  readonly origin: RuleOrigin;
  /** The words of the prompt that it follows from. */
  readonly because?: string;
}

export type Verdict = 'allow' | 'ask' | 'deny';
/** `prompt`: it follows from words of the prompt, and gives way to what any other rule or a grant allows. */
export type RuleOrigin = 'managed' | 'built-in' | 'user' | 'project' | 'agent' | 'session' | 'flag' | 'prompt';

const ruleShape = /^([A-Za-z0-9_.:*-]+)(?:\((.*)\))?$/s;
const grantShape = /^(.*) \[([a-z]+)(?: ([0-9a-f]{8,64}))?(?: in ([^\]]+))?\]$/s;

/** The rule a text such as `shell(git status*)` states, or undefined where it is no rule. */
export function parseRule(text: string, verdict: Verdict, origin: RuleOrigin): Rule | undefined {
  const [, body = text, effect, pin, folder] = grantShape.exec(text.trim()) ?? [];
  if (effect !== undefined && !isEffect(effect)) return undefined;
  const found = ruleShape.exec(body.trim());
  if (found === null) return undefined;
  const [, tool = '', pattern] = found;
  return {
    verdict,
    tool,
    ...(pattern !== undefined && pattern !== '' && { pattern }),
    ...(effect !== undefined && { effect }),
    ...(pin !== undefined && { pin }),
    ...(folder !== undefined && { folder }),
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
 * A grant with its bound. The first release stored none: with a wildcard such a grant now covers commands
 * that only read, with exact words what it always covered.
 */
export function boundedGrant(grant: Rule): Rule {
  const isWide = grant.tool === 'shell' && grant.pattern !== undefined && hasWildcard(grant.pattern);
  return isWide && grant.effect === undefined ? { ...grant, effect: 'look' } : grant;
}

/** Whether more than one text fits the pattern. */
export function hasWildcard(pattern: string): boolean {
  return !pattern.startsWith('=') && /[*?]/.test(pattern);
}

/** The pattern that only this text fits. */
export function exactPattern(text: string): string {
  return hasWildcard(text) || text.startsWith('=') ? `=${text}` : text;
}

/** Names that stand for all built-in tools that begin with them: `git(…)` for `git_status`, `git_commit` … */
const families: ReadonlySet<string> = new Set(['git', 'web']);

export function matchesTool(rule: Rule, tool: string): boolean {
  if (rule.tool === '*' || rule.tool === tool) return true;
  if (families.has(rule.tool)) return tool.startsWith(`${rule.tool}_`);
  return rule.tool.includes('*') && matchesPattern(rule.tool, tool, 'text');
}

/** Wildcard match in time pattern × subject, so that no rule can hang a session. */
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
  // `git status *` should also cover the bare command
  const isBare = kind === 'text' && pattern.endsWith(' *') && places.has(tokens.length - 2);
  return isBare || places.has(tokens.length);
}

type Token =
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'one'; readonly deep: boolean }
  | { readonly type: 'run'; readonly deep: boolean }
  /** The run and the slash that follow may be left out: a `**` folder also stands for no folder at all. */
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

/** Adds a place and those reached from it without taking a character. */
function reach(tokens: readonly Token[], place: number, places: Set<number>): void {
  if (places.has(place)) return;
  places.add(place);
  const type = tokens[place]?.type;
  if (type === 'run' || type === 'maybe') reach(tokens, place + 1, places);
  if (type === 'maybe') reach(tokens, place + 3, places);
}
