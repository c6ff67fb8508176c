/**
 * What OpenCode's `permission` forbids or asks about, as Rondo's rules. There, the last fitting pattern decides; here, a
 * deny always does. So an exception to a deny is lost, and reported. What it allows isn't taken over.
 */
import { fieldsOf } from '../kernel/json-object.ts';
import { FILE_CHANGES, rulesFor, type TranslatedRules } from './translated-rules.ts';

export function rulesFromOpencode(config: unknown): TranslatedRules {
  const { permission, tools, mcp } = fieldsOf(config);
  const servers = Object.keys(fieldsOf(mcp));
  const rules = { allow: [] as string[], ask: [] as string[], deny: [] as string[] };
  const unknown: { list: string; text: string }[] = [];
  const switches = Object.entries(fieldsOf(tools)).flatMap(([tool, isOn]) =>
    isOn === false ? [[tool, 'deny']] : [],
  );
  const given = typeof permission === 'string' ? { '*': permission } : fieldsOf(permission);
  for (const [name, verdicts] of [...Object.entries(given), ...(switches as [string, unknown][])]) {
    const patterns = typeof verdicts === 'string' ? { '*': verdicts } : fieldsOf(verdicts);
    let forbids = false;
    for (const [pattern, verdict] of Object.entries(patterns)) {
      if (verdict === 'allow' && forbids) unknown.push({ list: `permission.${name}`, text: `${pattern}: allow` });
      if (verdict !== 'ask' && verdict !== 'deny') continue;
      forbids = true;
      const translated = rulesOf(name, pattern, servers);
      rules[verdict].push(...translated);
      if (translated.length === 0 && !WITHOUT_EQUAL.has(name))
        unknown.push({ list: `permission.${name}`, text: `${pattern}: ${verdict}` });
    }
  }
  return { rules, unknown };
}

const ofFiles: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  edit: FILE_CHANGES,
  write: FILE_CHANGES,
  patch: FILE_CHANGES,
};
const ofTools: Readonly<Record<string, readonly string[]>> = {
  bash: ['shell', 'run_tests'],
  grep: ['grep'],
  glob: ['glob'],
  list: ['list'],
  webfetch: ['web_fetch'],
  websearch: ['web_search'],
  task: ['delegate'],
  skill: ['skill'],
};
/** Rondo refuses files outside the session's folders anyway, and has its own check for repetitions. */
const WITHOUT_EQUAL: ReadonlySet<string> = new Set([
  'external_directory',
  'doom_loop',
  'todowrite',
  'todoread',
  'question',
]);

function rulesOf(name: string, pattern: string, servers: readonly string[]): readonly string[] {
  if (name === '*' && pattern === '*') return ['*'];
  const files = ofFiles[name];
  // There, a star also matches slashes.
  if (files !== undefined) return rulesFor(files, pattern.replaceAll(/\*+/g, '**').replace(/^\.?\//, ''));
  const tools = ofTools[name];
  if (tools !== undefined && pattern === '*') return tools;
  if (name === 'bash') return [`shell(${pattern})`];
  if (name === 'webfetch') return [`web_fetch(${pattern})`];
  // Tools of a server are named `server_tool`, or `server_*` and `server*` for all of them.
  const server = servers.find((one) => name.startsWith(`${one}_`) || name === `${one}*`);
  if (server === undefined || pattern !== '*') return [];
  return [`mcp__${server}__${name === `${server}*` ? '*' : name.slice(server.length + 1)}`];
}
