/**
 * Commands from files: `/review 12` sends the text of `review.md` with its arguments filled in. A nested file
 * `git/commit.md` is `/git:commit`. A project's commands need its trust. They grant nothing: `allowed-tools` and
 * `` !`command` `` of other tools have no effect, and the agent asks as usual.
 */
import path from 'node:path';

import { firstByName, lineOf, projectTexts, userTexts, type NamedText } from './named-texts.ts';
import type { ProjectFiles } from './project-files.ts';

export interface FileCommand {
  readonly name: string;
  readonly summary: string;
  /** What to write after the name, such as `[pull request]`. */
  readonly hint?: string;
  readonly from: 'project' | 'user';
  readonly file: string;
  readonly text: string;
}

export interface FileCommandSources {
  /** `$RONDO_HOME`. */
  readonly home: string;
  /** The person's home folder. */
  readonly userHome: string;
  /** The project's folder and trusted files; none if it isn't trusted. */
  readonly project: { readonly folder: string; readonly files: ProjectFiles['files'] };
}

/** By name. The project's come first, and Rondo's own folders before those of other tools. */
export async function findFileCommands({
  home,
  userHome,
  project: { folder, files },
}: FileCommandSources): Promise<readonly FileCommand[]> {
  const lists = await Promise.all([
    projectTexts(files, folder, '.rondo/commands'),
    projectTexts(files, folder, '.claude/commands'),
    projectTexts(files, folder, '.opencode/command'),
    projectTexts(files, folder, '.opencode/commands'),
    projectTexts(files, folder, '.gemini/commands', '.toml'),
    userTexts(path.join(home, 'commands')),
    userTexts(path.join(userHome, '.claude', 'commands')),
    userTexts(path.join(userHome, '.gemini', 'commands'), '.toml'),
  ]);
  return firstByName(lists.flat(), commandFrom);
}

function commandFrom({ path: at, file, layer, facts, text }: NamedText): FileCommand | undefined {
  const name = at
    .toLowerCase()
    .replaceAll('/', ':')
    .replaceAll(/[^\w:-]+/g, '-');
  if (!/^[a-z][\w:-]*$/.test(name) || text === '') return undefined;
  const hint = lineOf(facts['argument-hint'], 80);
  const summary = lineOf(facts['description']) ?? lineOf(text.split('\n', 1)[0]?.replace(/^#+\s*/, ''), 80);
  const command = { name, summary: summary ?? file, from: layer, file, text };
  return hint === undefined ? command : { ...command, hint };
}

const shape = /^\/([A-Za-z][\w:-]*)(?:\s+([\s\S]*))?$/;

/** The command that a line calls, with its text filled in. Undefined if it calls none of these. */
export function expandFileCommand(
  line: string,
  commands: readonly FileCommand[],
): { readonly command: FileCommand; readonly text: string } | undefined {
  const [, name, rest = ''] = shape.exec(line.trim()) ?? [];
  if (name === undefined) return undefined;
  const command = commands.find((one) => one.name === name.toLowerCase());
  return command === undefined ? undefined : { command, text: fillIn(command.text, rest.trim()) };
}

/** `$ARGUMENTS` is everything after the name, `$1` to `$9` its words. Without a place for them they follow the text. */
function fillIn(text: string, args: string): string {
  const words = wordsOf(args);
  let isUsed = false;
  const filled = text.replaceAll(/\$(ARGUMENTS|[1-9])(?![A-Za-z0-9_])/g, (_, place: string) => {
    isUsed = true;
    return place === 'ARGUMENTS' ? args : (words[Number(place) - 1] ?? '');
  });
  return isUsed || args === '' ? filled : `${filled}\n\nArguments: ${args}`;
}

/** Separated by blanks; quotes hold words together. */
function wordsOf(args: string): readonly string[] {
  return [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
