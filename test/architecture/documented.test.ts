// Pages match the product: printed commands and options exist, links resolve.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { commands } from '../../src/cli/command-table.ts';

const root = path.resolve(import.meta.dirname, '../..');
const generated = ['docs/api/', 'docs/capabilities.md', 'docs/benchmarks.md', 'docs/proof.md'];
const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !generated.some((prefix) => file.startsWith(prefix)))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

/** `rondo …` as code, in blocks and within sentences, up to the end of the command. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|console)?\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const inline = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const indented = [...text.matchAll(/^ {4}(.*)$/gm)].map(([, line = '']) => line);
  return [...blocks, ...inline, ...indented].flatMap((line) => {
    const [, command] =
      /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?(rondo(?: [^#|>&;<]*)?)(?:[#|>&;<].*)?$/.exec(line) ?? [];
    return command === undefined ? [] : [command.trim()];
  });
}

/** Checks words that are neither quoted nor values. */
function problemsWith(command: string, known: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const [, first = '', ...rest] = command.replaceAll(/'[^']*'|"[^"]*"/g, 'TEXT').split(/\s+/);
  const name = /^[a-z][a-z-]*$/.test(first) ? first : undefined;
  if (name !== undefined && !known.has(name)) return [`there is no command ${name}`];
  const options = known.get(name ?? 'serve') ?? new Set();
  return [first, ...rest].flatMap((word) => {
    const [, flag] = /^\[?--([a-z-]+)/.exec(word) ?? [];
    const isKnown = flag === undefined || options.has(flag) || flag === 'version' || flag === 'help';
    return isKnown ? [] : [`${name ?? 'rondo'} has no option --${flag}`];
  });
}

async function knownOptions(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const entries = Object.entries(commands).map(async ([name, { load }]) => {
    const { options } = await load();
    return [name, new Set(Object.keys(options))] as const;
  });
  return new Map(await Promise.all(entries));
}

// Loads the source of every command: no waits, only work, which takes long on a busy machine.
test('every command and option that a page prints is there', { timeout: 120_000 }, async () => {
  const known = await knownOptions();
  const printed = pages.flatMap(({ file, text }) => commandsIn(text).map((command) => ({ file, command })));
  const wrong = printed.flatMap(({ file, command }) =>
    problemsWith(command, known).map((problem) => `${file}: \`${command}\`: ${problem}`),
  );
  expect(printed.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test('the check of printed commands finds what is not there', async () => {
  const known = await knownOptions();
  const text = 'Say `rondo runn "x"`.\n\n```\n$ rondo run --jsn "a --b"   # so\nA=1 rondo ls --json | head\n```\n';
  expect(commandsIn(text).flatMap((command) => problemsWith(command, known))).toEqual([
    'run has no option --jsn',
    'there is no command runn',
  ]);
});

test('every link of a page to a file leads to one', () => {
  const broken = pages.flatMap(({ file, text }) =>
    [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(
      ([, target = '']) => {
        if (/^[a-z]+:/.test(target)) return [];
        const meant = path.join(root, path.dirname(file), target);
        return existsSync(meant) ? [] : [`${file}: ${target}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

test('every folder of src is one of the parts in docs/ARCHITECTURE.md', () => {
  const { text = '' } = pages.find(({ file }) => file === 'docs/ARCHITECTURE.md') ?? {};
  const [, parts = ''] = text.split('## The parts');
  const named = [...(parts.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  const there = readdirSync(path.join(root, 'src'), { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  expect([...there, 'web/'].toSorted()).toEqual(named.toSorted());
});
