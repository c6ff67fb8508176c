/** What the settings of Gemini CLI exclude, as Rondo's rules. */
import { fieldsOf } from '../kernel/json-object.ts';
import { FILE_CHANGES, rulesFor, type TranslatedRules } from './translated-rules.ts';

export function rulesFromGemini(settings: unknown): TranslatedRules {
  const { excludeTools, coreTools, tools } = fieldsOf(settings);
  const { exclude, core } = fieldsOf(tools);
  const deny: string[] = [];
  const unknown: { list: string; text: string }[] = [];
  for (const text of [excludeTools, exclude].flatMap(listOf)) {
    const [, name = '', pattern] = /^(\w+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
    const equals = names[name];
    if (name === 'run_shell_command' && pattern !== undefined) deny.push(`shell(${pattern}*)`);
    else if (equals !== undefined) deny.push(...equals);
    else unknown.push({ list: 'tools.exclude', text: text.slice(0, 200) });
  }
  // A list of what is left: Rondo's tools have no exact equal of it.
  const only = [coreTools, core].flatMap(listOf).join(', ');
  if (only !== '') unknown.push({ list: 'tools.core', text: only.slice(0, 200) });
  return { rules: { allow: [], ask: [], deny }, unknown };
}

const names: Readonly<Record<string, readonly string[]>> = {
  run_shell_command: ['shell', 'run_tests'],
  ShellTool: ['shell', 'run_tests'],
  write_file: ['write(**)'],
  WriteFileTool: ['write(**)'],
  replace: rulesFor(FILE_CHANGES, '**'),
  EditTool: rulesFor(FILE_CHANGES, '**'),
  read_file: ['read(**)'],
  read_many_files: ['read(**)'],
  ReadFileTool: ['read(**)'],
  list_directory: ['list'],
  glob: ['glob'],
  search_file_content: ['grep'],
  grep_search: ['grep'],
  web_fetch: ['web_fetch'],
  google_web_search: ['web_search'],
  save_memory: ['notes'],
};

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
