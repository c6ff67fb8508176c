/**
 * The project's own tests, linters, type checks and builds (`checks`, S6). They run code from the session's folder,
 * which the agent can change, so approving one approves the same power as approving another. One grant covers them
 * all while the text of the project's scripts is the same.
 */
import path from 'node:path';

import { dangersOf } from '../../security/danger/danger.ts';
import { nearest } from '../../security/paths/git-dir.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { parseCommand } from '../../security/shell/parse-command.ts';
import { programName } from '../../security/shell/shell-word.ts';
import { isCheckName } from './check-name.ts';
import { EDITS, PACKAGE_MANAGERS, TOOLCHAINS, workspaceScript } from './effect-tables.ts';
import { type Package, projectPackages, scriptsIn } from './project-scripts.ts';

/** Whether a command whose effect is `build` is one of these. `words` has no wrapper. */
export function isCheck(words: readonly string[], { folder, root }: { folder: string; root: string }): boolean {
  const [first = '', command = '', name = ''] = words;
  const program = programName(first);
  if (first !== program) return false;
  if (PACKAGE_MANAGERS.has(program)) {
    const shared = workspaceScript(words.slice(1));
    if (shared !== undefined) return isCheckName(shared) && isHarmlessScript(shared, projectPackages(root) ?? []);
    const script = /^run(?:-script)?$/.test(command) ? name : command === 't' ? 'test' : command;
    const file = nearest(folder, 'package.json') ?? '';
    return isCheckName(script) && isHarmlessScript(script, [{ file, scripts: scriptsIn(file) }]);
  }
  if (program === 'make' || program === 'just') return command !== '' && words.slice(1).every(isCheckName);
  if (program === 'node') return command === '--test';
  if (program === 'turbo') return command === 'run' && isCheckName(name);
  if (/^python3?$/.test(program)) return command === '-m' && isChecker(name);
  return isChecker(program) || CHECKS_BY_COMMAND.test(`${program} ${command}`);
}

/** The program that `npx` starts, if it is installed in the project: otherwise `npx` would fetch it. */
export function isInstalled(program: string, folder: string, roots: readonly string[]): boolean {
  const file = nearest(folder, path.join('node_modules', '.bin', program));
  return file !== undefined && roots.some((root) => isBelow(file, root));
}

function isChecker(program: string): boolean {
  return program !== 'tox' && TOOLCHAINS.get(program) === 'any';
}

const CHECKS_BY_COMMAND =
  /^(?:cargo (?:test|build|check|clippy|doc|fmt)|go (?:test|build|vet|fmt)|mvn (?:test|compile)|gradle (?:test|build|check)|dotnet (?:test|build))$/;

/** Its text in every package that has it, and what runs before and after it, contains no danger and sends nothing. */
function isHarmlessScript(name: string, packages: readonly Package[]): boolean {
  const having = packages.filter(({ scripts }) => scripts[name] !== undefined);
  const texts = having.flatMap(({ scripts }) =>
    [`pre${name}`, name, `post${name}`].map((one) => scripts[one] ?? ':'),
  );
  return texts.length > 0 && texts.every(isHarmlessText);
}

function isHarmlessText(text: string): boolean {
  const parsed = parseCommand(text, { shell: 'sh' });
  if (parsed.type === 'unparsed' || dangersOf(parsed).length > 0) return false;
  return parsed.segments.every(({ words }) => !/^(?:network|send)$/.test(EDITS.get(programName(words[0])) ?? ''));
}
