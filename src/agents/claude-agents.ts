/**
 * Sub-agents of Claude Code (`.claude/agents`) as agents: their prompt, description and tools. Their model, permission
 * mode, hooks and servers mean nothing here.
 */
import { looseFrontMatter } from './front-matter.ts';
import { lineOf } from './named-texts.ts';

/** The file as one of Rondo's. */
export async function agentFromClaude(source: string, file: string): Promise<string> {
  const { facts, body } = await looseFrontMatter(source, file);
  // Nothing in it is a reference to a variable.
  const description = lineOf(facts['description'], 500)?.replaceAll('${', () => '$${');
  const tools = toolsOf(namesIn(facts['tools']), namesIn(facts['disallowedTools']) ?? []);
  return `---\n${JSON.stringify({ description, tools })}\n---\n${body}`;
}

const equals: Readonly<Record<string, readonly string[]>> = {
  Read: ['read'],
  LS: ['list'],
  Glob: ['glob', 'list'],
  Grep: ['grep'],
  Edit: ['edit'],
  MultiEdit: ['edit'],
  Write: ['write'],
  Bash: ['shell'],
  WebFetch: ['web_fetch'],
  WebSearch: ['web_search'],
  Task: ['delegate'],
  Agent: ['delegate'],
  Skill: ['skill'],
};

/** A tool without an equal is left out, so that the agent never has more than it should. */
function toolsOf(allowed: readonly string[] | undefined, forbidden: readonly string[]) {
  const isAll = allowed === undefined || allowed.includes('*');
  if (isAll && forbidden.length === 0) return undefined;
  const names = isAll ? Object.keys(equals) : allowed;
  const without = new Set(forbidden.flatMap(equalsOf));
  const only = [...new Set(names.flatMap(equalsOf))].filter((tool) => !without.has(tool));
  return only.length === 0 ? 'none' : { only };
}

function equalsOf(name: string): readonly string[] {
  return /^mcp__\w+__[\w-]+$/.test(name) ? [name] : (equals[name.replace(/\(.*$/s, '')] ?? []);
}

/** `Read, Grep`, or a list. */
function namesIn(value: unknown): readonly string[] | undefined {
  const names =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : undefined;
  return names?.map((name) => name.trim()).filter((name) => name !== '');
}
