import { symlink } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { expandFileCommand, findFileCommands, type FileCommand } from './file-commands.ts';
import { readProjectFiles } from './project-files.ts';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';

async function commandsIn(place: TemporaryFolder): Promise<readonly FileCommand[]> {
  const folder = place.at('project');
  const { files } = await readProjectFiles({ folder, parts: ['.rondo', '.claude/commands', '.gemini/commands'] });
  return findFileCommands({ home: place.at('home'), userHome: place.at('person'), project: { folder, files } });
}

const review =
  '---\ndescription: Review a pull request\nargument-hint: "[number]"\nallowed-tools: Bash(*)\n---\nReview $1.\n';

test('[C131] commands come from the folders of project and person, nested ones with a colon, the project first', async () => {
  await using place = await temporaryFolder({
    'project/.rondo/commands/review.md': review,
    'project/.claude/commands/review.md': 'another review',
    'project/.claude/commands/git/Commit.md': '# Commit what changed\nWrite a message.',
    'project/.claude/commands/notes.txt': 'no command',
    'home/commands/review.md': 'of the person',
    'person/.claude/commands/standup.md': 'Sum up yesterday.',
  });
  const rows = (await commandsIn(place)).map(({ name, summary, hint, from, text }) => [
    name,
    summary,
    hint,
    from,
    text,
  ]);
  expect(rows).toEqual([
    ['git:commit', 'Commit what changed', undefined, 'project', '# Commit what changed\nWrite a message.'],
    ['review', 'Review a pull request', '[number]', 'project', 'Review $1.'],
    ['standup', 'Sum up yesterday.', undefined, 'user', 'Sum up yesterday.'],
  ]);
});

test('[C131] a link in a project leads nowhere, and a broken front matter is text', async () => {
  await using place = await temporaryFolder({
    'secret.md': 'a secret',
    'project/.claude/commands/broken.md': '---\ndescription: [\n---\nDo it.',
  });
  await symlink('../../../secret.md', place.at('project/.claude/commands/leak.md'));
  const commands = await commandsIn(place);
  expect(commands.map(({ name, text }) => [name, text])).toEqual([['broken', '---\ndescription: [\n---\nDo it.']]);
});

test.each([
  ['$ARGUMENTS is everything after the name', 'Fix $ARGUMENTS now', '/fix-it  a "b c"', 'Fix a "b c" now'],
  ['$1 and $2 are words, quotes hold them together', '$2 before $1', '/fix-it a "b c"', 'b c before a'],
  ['a missing word is empty', '[$1][$3]', '/fix-it a', '[a][]'],
  ['$10 and $ARGUMENTSX are no places', '$10 $ARGUMENTSX', '/fix-it a', '$10 $ARGUMENTSX\n\nArguments: a'],
  ['without a place, arguments follow the text', 'Fix it.', '/FIX-IT a b', 'Fix it.\n\nArguments: a b'],
  ['arguments that look like places stay as they are', 'Fix $ARGUMENTS', '/fix-it $1 $&', 'Fix $1 $&'],
  ['without arguments the text stands alone', 'Fix it.', '/fix-it', 'Fix it.'],
])('[C131] %s', (_, text, line, expected) => {
  const command: FileCommand = { name: 'fix-it', summary: '', from: 'project', file: 'fix-it.md', text };
  expect(expandFileCommand(line, [command])).toEqual({ command, text: expected });
});

test('[C131] other text, other names and paths expand to nothing', () => {
  const command: FileCommand = { name: 'etc', summary: '', from: 'project', file: 'etc.md', text: 'x' };
  expect(['etc', '/other', '/etc/hosts', 'say /etc'].map((line) => expandFileCommand(line, [command]))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});

test("[C131] [C144] Gemini CLI's commands are read, with the arguments in their place", async () => {
  const toml = [
    '# A comment',
    'description = "Explain a \\"file\\""',
    'prompt = """',
    'Explain {{args}}, \\',
    '  briefly.',
    'description = "not this"',
    '"""',
    '[table]',
    'prompt = "nor this"',
  ].join('\n');
  await using place = await temporaryFolder({
    'project/.gemini/commands/docs/explain.toml': toml,
    'project/.gemini/commands/none.toml': 'description = "No prompt"',
    'project/.gemini/commands/readme.md': 'no command',
    'person/.gemini/commands/plan.toml': "prompt = 'Plan \\n this.'",
  });
  const commands = await commandsIn(place);
  expect(commands.map(({ name, summary, from }) => [name, summary, from])).toEqual([
    ['docs:explain', 'Explain a "file"', 'project'],
    ['plan', 'Plan \\n this.', 'user'],
  ]);
  expect(expandFileCommand('/docs:explain a.ts', commands)?.text).toBe(
    'Explain a.ts, briefly.\ndescription = "not this"',
  );
});
