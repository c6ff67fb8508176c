/** Permission rules in Claude Code's notation, such as `Bash(npm run test:*)`, as Rondo's. */

interface TranslatedRules {
  readonly rules: { readonly allow: string[]; readonly ask: string[]; readonly deny: string[] };
  /** Rules without an equivalent. */
  readonly unknown: readonly { readonly list: string; readonly text: string }[];
}

export function rulesFromClaude(settings: unknown): TranslatedRules {
  const permissions = recordOf(recordOf(settings)['permissions']);
  const rules = { allow: [] as string[], ask: [] as string[], deny: [] as string[] };
  const unknown: { list: string; text: string }[] = [];
  for (const list of ['allow', 'ask', 'deny'] as const) {
    const written = permissions[list];
    for (const text of Array.isArray(written) ? written : []) {
      const translated = typeof text === 'string' ? ruleFromClaude(text.trim(), list) : [];
      if (translated.length === 0) unknown.push({ list, text: String(text).slice(0, 200) });
      rules[list].push(...translated);
    }
  }
  return { rules, unknown };
}

const tools: Readonly<Record<string, readonly string[]>> = {
  Bash: ['shell'],
  Read: ['read'],
  Edit: ['edit', 'write', 'delete'],
  Write: ['write'],
  MultiEdit: ['edit'],
  Grep: ['grep'],
  Glob: ['glob'],
  LS: ['list'],
  WebSearch: ['web_search'],
  Task: ['delegate'],
};

function ruleFromClaude(text: string, list: 'allow' | 'ask' | 'deny'): readonly string[] {
  if (/^mcp__[\w-]+$/.test(text)) return [text.split('__').length > 2 ? text : `${text}__*`];
  const [, tool = '', pattern] = /^(\w+)(?:\((.*)\))?$/s.exec(text) ?? [];
  if (tool === 'WebFetch') return webRule(pattern);
  const names = tools[tool];
  if (names === undefined) return [];
  if (pattern === undefined || pattern === '*' || pattern === '**') return names;
  const own = tool === 'Bash' ? commandPattern(pattern, list) : pathPattern(pattern);
  return own === undefined ? [] : names.map((name) => `${name}(${own})`);
}

/** `npm run test:*` means the command with anything after it, as further words. */
function commandPattern(pattern: string, list: 'allow' | 'ask' | 'deny'): string | undefined {
  const start = /^(.*):\*$/s.exec(pattern)?.[1]?.trim();
  if (start === undefined) return pattern;
  if (start === '') return list === 'allow' ? undefined : '*';
  return `${start}*`;
}

/** Relative to the project; `//` starts an absolute path there, `~/` the person's home folder. */
function pathPattern(pattern: string): string | undefined {
  if (pattern.startsWith('//')) return pattern.slice(1);
  return pattern.replace(/^\.?\//, '') || undefined;
}

function webRule(pattern: string | undefined): readonly string[] {
  if (pattern === undefined) return ['web_fetch'];
  const host = /^domain:([\w.*-]+)$/.exec(pattern)?.[1];
  return host === undefined ? [] : [`web_fetch(https://${host}/*)`];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
