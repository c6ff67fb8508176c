// Help lists exactly what the parser accepts, and every printed form can be typed.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { repositoryOptions } from './option-table.ts';
import { commands } from './command-table.ts';
import { commandHelp, type CliCommand, type CommandEntry } from './command.ts';
import { commandWord } from './command-word.ts';
import { helpText } from './help.ts';
import { optionHelp, parseOptions } from './option-table.ts';

const all: readonly (readonly [string, CliCommand])[] = await Promise.all(
  Object.entries(commands).map(async ([name, { load }]) => [name, await load()] as const),
);
const entries: ReadonlyMap<string, CommandEntry> = new Map(Object.entries(commands));
const byName: ReadonlyMap<string, CliCommand> = new Map(all);

/** A form of a command as a user types it: placeholders become names, and each choice becomes a separate line. */
function typed(form: string): readonly (readonly string[])[] {
  const open = form.replaceAll(/\[options\]/g, '').replaceAll(/[[\]]/g, ' ');
  return choices(open).map((line) => [...line.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word));
}

/** `a (b | c) d` means `a b d` and `a c d`. Without brackets, a bar separates the words next to it. */
function choices(form: string): readonly string[] {
  const group = /\(([^()]*)\)/.exec(form);
  const bare = /(?:^|\s)(--?\S+(?: [A-Z][A-Z-]*)?(?:\s*\|\s*\S+(?: [A-Z][A-Z-]*)?)+)/.exec(form);
  const [whole = '', inner = ''] = group ?? (bare === null ? [] : [bare[1], bare[1]]);
  if (whole === '') return [form.replaceAll(/\S*\|\S*/g, (words) => words.split('|')[0] ?? '')];
  return inner.split('|').flatMap((choice) => choices(form.replace(whole, ` ${choice.trim()} `)));
}

function problemWith(argv: readonly string[]): string | undefined {
  const [name = ''] = argv;
  const isNamed = byName.has(name);
  const command = byName.get(isNamed ? name : 'chat');
  if (command === undefined) return `there is no command ${name}`;
  try {
    const given = parseOptions(command.options, isNamed ? argv.slice(1) : argv, { most: Infinity });
    const words = Object.keys(command.words ?? {});
    if (command.words !== undefined) commandWord(name, command.words, command.options, given, words[0]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(all)('rondo %s', (name, command) => {
  test('every form that its help shows is understood by its parser', () => {
    const forms = command.usage.flatMap(typed);
    expect(forms.length).toBeGreaterThan(0);
    expect(forms.flatMap((argv) => problemWith(argv) ?? [])).toEqual([]);
    expect(forms.every(([first]) => first === name || name === 'chat')).toBe(true);
  });

  test('its help has a line for every option, and no other', () => {
    const listed = [...optionHelp(command.options).matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(
      ([, flag]) => flag,
    );
    expect(listed).toEqual(Object.keys(command.options));
    const named = [...commandHelp(command).matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag);
    const own = new Set(Object.keys(command.options));
    const elsewhere = new Set(all.flatMap(([, { options }]) => Object.keys(options)));
    expect(named.filter((flag) => !own.has(flag) && !elsewhere.has(flag))).toEqual([]);
  });

  test('the words that its options are for are its words', () => {
    const words = new Set(Object.keys(command.words ?? {}));
    const strange = Object.values(command.options).flatMap(({ of = [] }) => of.filter((word) => !words.has(word)));
    expect(strange).toEqual([]);
  });

  test("an option's help lists its accepted values", () => {
    for (const { values = [], help } of Object.values(command.options)) {
      expect(
        values.filter((value) => values.length < 10 && !help.includes(value) && !help.includes('mode')),
      ).toEqual([]);
    }
  });

  test('every option it takes is read by what it is made of', () => {
    const [, folder = ''] =
      /\/cli\/(\w+)\/|\.\/(\w+)\//.exec(String(entries.get(name)?.load))?.filter(Boolean) ?? [];
    const place = path.join(import.meta.dirname, folder);
    const text = globSync('*.ts', { cwd: place })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(path.join(place, file), 'utf8'))
      .join('\n');
    const passedOn = new Set([
      ...(/\((?:\w+, )*values[,)]/.test(text) ? ['cwd', 'store'] : []),
      ...(text.includes('repositoryFrom({ ...values') ? Object.keys(repositoryOptions) : []),
    ]);
    const unread = Object.keys(command.options).filter(
      (flag) =>
        flag !== 'help' &&
        !passedOn.has(flag) &&
        !new RegExp(`(?:values|options)(?:\\.|\\[')${flag}\\b|[{,] ${flag}\\b[^}\\n]*\\} ?[=:]`).test(text),
    );
    expect({ folder: folder === '' ? 'none' : 'found', unread }).toEqual({ folder: 'found', unread: [] });
  });
});

/** Replaces a message's placeholders with values. */
function withNames(line: string): string {
  return line
    .replaceAll('${word}', 'create')
    .replaceAll(/(?<=\S)\$\{[^}]*\}/g, '')
    .replaceAll(/\$\{[^}]*\}|…/g, 'X');
}

test('the commands that messages and help tell people to type are understood', () => {
  const folder = path.join(import.meta.dirname, '../..');
  const files = globSync(['src/**/*.ts', 'web/src/**/*.{ts,svelte}'], { cwd: folder });
  const mentions = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8').replaceAll(/\\`/g, '`');
      return [...text.matchAll(/`(?:npx )?rondo ([a-z][^`\n]*)`/g)].map(([, line = '']) => ({ file, line }));
    });
  const wrong = mentions.flatMap(({ file, line }) =>
    typed(withNames(line)).flatMap((argv) => {
      const problem = problemWith(argv[0] === 'help' ? argv.slice(1) : argv);
      return problem === undefined ? [] : [`${file}: rondo ${line}: ${problem}`];
    }),
  );
  expect(mentions.length).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

test('the check of forms finds what the parser does not take', () => {
  expect([
    problemWith(['ls', '--jsn']),
    problemWith(['jobs', 'list', '--reason', 'X']),
    problemWith(['worktrees', 'prune', 'X']),
    problemWith(['tokn']),
    typed('answer Q (yes | no) [--reason TEXT]'),
    typed('trust [--show | --yes]'),
  ]).toEqual([
    'unknown option --jsn; did you mean --json?',
    "--reason doesn't apply to `rondo jobs list`; use it with `rondo jobs cancel`",
    'unexpected argument "X"; put text with spaces in quotes',
    undefined,
    [
      ['answer', 'Q', 'yes', '--reason', 'TEXT'],
      ['answer', 'Q', 'no', '--reason', 'TEXT'],
    ],
    [
      ['trust', '--show'],
      ['trust', '--yes'],
    ],
  ]);
  expect(helpText()).toContain('rondo COMMAND --help');
});
