/**
 * Commands from files: `/review 12` sends the text of `review.md` with its arguments filled in. A nested file
 * `git/commit.md` is `/git:commit`, and a skill is a command too. A project's commands need its trust. They grant
 * nothing: `allowed-tools` of other tools has no effect, `` !`command` `` is left to the agent, and it asks as usual.
 */
import path from 'node:path';

import { firstByName, lineOf, projectTexts, userTexts, type NamedText, type TextSources } from './named-texts.ts';
import { skillTexts, usesOf } from './skills.ts';

export interface FileCommand {
  readonly name: string;
  readonly summary: string;
  /** What to write after the name, such as `[pull request]`. */
  readonly hint?: string;
  readonly from: 'project' | 'user';
  readonly file: string;
  readonly text: string;
}

/** By name. The project's come first, and Rondo's own folders before those of other tools. */
export async function findFileCommands(sources: TextSources): Promise<readonly FileCommand[]> {
  const {
    home,
    userHome,
    project: { folder, files },
  } = sources;
  const skills = skillTexts(sources);
  const lists = await Promise.all([
    projectTexts(files, folder, '.rondo/commands'),
    projectTexts(files, folder, '.claude/commands'),
    projectTexts(files, folder, '.opencode/command'),
    projectTexts(files, folder, '.opencode/commands'),
    projectTexts(files, folder, '.gemini/commands', '.toml'),
    userTexts(path.join(home, 'commands')),
    userTexts(path.join(userHome, '.claude', 'commands')),
    userTexts(path.join(userHome, '.gemini', 'commands'), '.toml'),
    userTexts(path.join(userHome, '.codex', 'prompts')),
    userTexts(path.join(userHome, '.config', 'opencode', 'command')),
    userTexts(path.join(userHome, '.config', 'opencode', 'commands')),
  ]);
  return firstByName([...lists.flat(), ...(await skills).flatMap(skillAsCommand)], commandFrom);
}

/** A skill is a command of its name, unless it is for the model only. */
function skillAsCommand(text: NamedText): readonly NamedText[] {
  const { isForPerson, name } = usesOf(text) ?? {};
  if (name === undefined || isForPerson !== true) return [];
  const folder = `Other files of this skill are in ${path.dirname(text.file)}.`;
  return [{ ...text, path: name, text: `${folder}\n\n${text.text}` }];
}

function commandFrom({ path: at, file, layer, facts, text }: NamedText): FileCommand | undefined {
  const name = at
    .toLowerCase()
    .replaceAll('/', ':')
    .replaceAll(/[^\w:-]+/g, '-');
  if (!/^[a-z][\w:-]*$/.test(name) || text === '') return undefined;
  const given = facts['argument-hint'];
  // `[count]` without quotes is a list in YAML.
  const hint = lineOf(Array.isArray(given) ? `[${given.join(', ')}]` : given, 80);
  const summary = lineOf(facts['description']) ?? lineOf(text.split('\n', 1)[0]?.replace(/^#+\s*/, ''), 80);
  const command = { name, summary: summary ?? file, from: layer, file, text: withoutRunning(text) };
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

/** Other tools run these commands at once. Here the agent does, so that each passes the gate. */
function withoutRunning(text: string): string {
  return text.replaceAll(/(?<![\w!])!`([^`\n]+)`/g, '(run `$1` and use its output here)');
}

/**
 * `$ARGUMENTS` is everything after the name, `$1` to `$9` its words. A text with `$0` counts them from there, as
 * `$ARGUMENTS[0]` does. A text that uses none of these gets the arguments at its end.
 */
function fillIn(text: string, args: string): string {
  const words = wordsOf(args);
  const first = /\$0(?![A-Za-z0-9_])/.test(text) ? 0 : 1;
  let isUsed = false;
  const places = /\$(?:ARGUMENTS(?:\[(\d)\])?|(\d))(?![A-Za-z0-9_])/g;
  const filled = text.replaceAll(places, (_, at?: string, word?: string) => {
    isUsed = true;
    if (at !== undefined) return words[Number(at)] ?? '';
    return word === undefined ? args : (words[Number(word) - first] ?? '');
  });
  return isUsed || args === '' ? filled : `${filled}\n\nArguments: ${args}`;
}

/** Separated by blanks; quotes hold words together. */
function wordsOf(args: string): readonly string[] {
  return [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
