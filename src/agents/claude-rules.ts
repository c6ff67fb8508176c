/** Permission rules in Claude Code's notation, such as `Bash(npm run test:*)`, as Rondo's. */
import { fieldsOf } from '../kernel/json-object.ts';
import {
  FILE_CHANGES,
  ignorePatterns,
  rulesFor,
  type RuleList,
  type TranslatedRules,
} from './translated-rules.ts';

export function rulesFromClaude(settings: unknown): TranslatedRules {
  const { permissions: written, hooks } = fieldsOf(settings);
  const permissions = fieldsOf(written);
  const rules = { allow: [] as string[], ask: [] as string[], deny: [] as string[] };
  const unknown: { list: string; text: string }[] = [];
  const add = (list: string, text: unknown) => unknown.push({ list, text: textOf(text) });
  for (const list of ['allow', 'ask', 'deny'] as const) {
    const given = permissions[list];
    if (given !== undefined && !Array.isArray(given)) add(list, given);
    for (const text of Array.isArray(given) ? given : []) {
      const translated = typeof text === 'string' ? ruleFromClaude(text.trim(), list) : [];
      if (translated.length === 0) add(list, text);
      rules[list].push(...translated);
    }
  }
  const { defaultMode } = permissions;
  if (defaultMode === 'plan' || defaultMode === 'dontAsk') add('defaultMode', defaultMode);
  if (Object.hasOwn(fieldsOf(hooks), 'PreToolUse')) add('hooks', 'PreToolUse');
  return { rules, unknown };
}

const tools: Readonly<Record<string, readonly string[]>> = {
  Bash: ['shell'],
  Read: ['read'],
  Edit: FILE_CHANGES,
  Write: ['write'],
  MultiEdit: ['edit'],
  Grep: ['grep'],
  Glob: ['glob'],
  LS: ['list'],
  WebSearch: ['web_search'],
  Task: ['delegate'],
  Agent: ['delegate'],
  Skill: ['skill'],
};

/** Tools of which Rondo's rules state a path. */
const ofFiles: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write', 'MultiEdit']);
/** Rules on these tools name something that Rondo's rules can't state. */
const whole: ReadonlySet<string> = new Set(['WebSearch', 'Task', 'Agent', 'Skill']);

function ruleFromClaude(text: string, list: RuleList): readonly string[] {
  if (/^mcp__[\w*-]+$/.test(text)) return [text.split('__').length > 2 ? text : `${text}__*`];
  const [, tool = '', pattern] = /^(\w+)(?:\((.*)\))?$/s.exec(text) ?? [];
  if (tool === 'WebFetch') return webRules(pattern, list);
  if (tool === 'NotebookEdit' && list !== 'allow') return rulesFor(FILE_CHANGES, '**/*.ipynb');
  // Its tool for edits deletes nothing.
  const names = tools[tool]?.filter((name) => list !== 'allow' || name !== 'delete');
  if (names === undefined) return [];
  if (pattern === undefined || pattern === '*' || pattern === '**') return wholeTool(tool, names, list);
  if (tool === 'Bash') return commandPatterns(pattern, list).flatMap((one) => rulesFor(names, one));
  if (whole.has(tool)) return [];
  // Absolute paths start with `//`.
  const places = pattern.startsWith('//') ? [pattern.slice(1)] : ignorePatterns(pattern, list);
  return places.flatMap((place) => rulesFor(names, place));
}

/** A tool that may not be used at all may not be replaced by another one either. */
function wholeTool(tool: string, names: readonly string[], list: RuleList): readonly string[] {
  if (list === 'allow') return names;
  if (tool === 'Bash') return [...names, 'run_tests'];
  return ofFiles.has(tool) ? rulesFor(names, '**') : names;
}

/** `npm run test:*` means the command with anything after it, as further words. */
function commandPatterns(pattern: string, list: RuleList): readonly string[] {
  const start = /^(.*):\*$/s.exec(pattern)?.[1]?.trim();
  if (start === undefined) return [pattern];
  if (start === '') return list === 'allow' ? [] : ['*'];
  return [list === 'allow' ? `${start} *` : `${start}*`];
}

function webRules(pattern: string | undefined, list: RuleList): readonly string[] {
  if (pattern === undefined) return ['web_fetch'];
  const host = /^domain:([\w.*-]+)$/.exec(pattern)?.[1];
  if (host === undefined) return [];
  if (list === 'allow') return [`web_fetch(https://${host}/*)`];
  return [`web_fetch(http*://${host}/*)`, `web_fetch(http*://${host}:*)`];
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).slice(0, 200);
}
