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

test('[C131] a link in a project leads nowhere, and front matter without an end is text', async () => {
  await using place = await temporaryFolder({
    'secret.md': 'a secret',
    'project/.claude/commands/broken.md': '---\ndescription: [\nDo it.',
  });
  await symlink('../../../secret.md', place.at('project/.claude/commands/leak.md'));
  const commands = await commandsIn(place);
  expect(commands.map(({ name, text }) => [name, text])).toEqual([['broken', '---\ndescription: [\nDo it.']]);
});

test("[C131] [C144] front matter that isn't YAML is read line by line, as other tools do", async () => {
  await using place = await temporaryFolder({
    'project/.claude/commands/pr.md':
      '---\ndescription: "Review: the PR"\nargument-hint: [number] [priority]\n---\nReview $1.',
    'project/.claude/commands/note.md': '---\ndescription: Use it: often\nargument-hint: [text]\n---\nNote it.',
    'project/.claude/commands/list.md': '---\nargument-hint: [text]\n---\nList it.',
  });
  const commands = await commandsIn(place);
  expect(commands.map(({ name, summary, hint, text }) => [name, summary, hint, text])).toEqual([
    ['list', 'List it.', '[text]', 'List it.'],
    ['note', 'Use it: often', '[text]', 'Note it.'],
    ['pr', 'Review: the PR', '[number] [priority]', 'Review $1.'],
  ]);
});

test('[C130] [C131] a skill is a command too, unless it is for the model only; a command of its name goes first', async () => {
  const skill = (name: string, facts = '') => ({
    [`project/.rondo/skills/${name}/SKILL.md`]: `---\ndescription: How to ${name}.\n${facts}---\nDo $ARGUMENTS.`,
  });
  await using place = await temporaryFolder({
    ...skill('deploy', 'argument-hint: "[place]"\n'),
    ...skill('quiet', 'user-invocable: false\n'),
    ...skill('manual', 'disable-model-invocation: true\n'),
    ...skill('review'),
    'project/.rondo/commands/review.md': 'Review it.',
  });
  const commands = await commandsIn(place);
  const folder = place.at('project/.rondo/skills');
  expect(commands.map(({ name, summary, hint, text }) => [name, summary, hint, text])).toEqual([
    [
      'deploy',
      'How to deploy.',
      '[place]',
      `Other files of this skill are in ${folder}/deploy.\n\nDo $ARGUMENTS.`,
    ],
    [
      'manual',
      'How to manual.',
      undefined,
      `Other files of this skill are in ${folder}/manual.\n\nDo $ARGUMENTS.`,
    ],
    ['review', 'Review it.', undefined, 'Review it.'],
  ]);
});

test('[C131] commands to run are left to the agent, and links in the own folder of a person are followed', async () => {
  await using place = await temporaryFolder({
    'elsewhere/status.md': 'Status: !`git status $1`. Not this: a!`b`, `c`.',
    'elsewhere/plan/a.md': 'Plan.',
    'person/.claude/commands/.keep': '',
    'project/.gemini/commands/diff.toml': 'prompt = "Look at !{ git diff } and @{docs/a.md}, not !{broken"',
  });
  await symlink('../../../elsewhere/status.md', place.at('person/.claude/commands/status.md'));
  await symlink('../../../elsewhere/plan', place.at('person/.claude/commands/plan'));
  await symlink('missing', place.at('person/.claude/commands/gone.md'));
  await symlink('.', place.at('person/.claude/commands/circle'));
  const commands = await commandsIn(place);
  const texts = commands.filter(({ name }) => !name.startsWith('circle')).map(({ name, text }) => [name, text]);
  expect(texts).toEqual([
    ['diff', 'Look at (run `git diff` and use its output here) and @docs/a.md, not !{broken'],
    ['plan:a', 'Plan.'],
    ['status', 'Status: (run `git status $1` and use its output here). Not this: a!`b`, `c`.'],
  ]);
});

test.each([
  ['$ARGUMENTS[0] is the first word', '$ARGUMENTS[1] before $ARGUMENTS[0]', '/fix-it a "b c"', 'b c before a'],
  ['a text with $0 counts words from there', '$1 before $0', '/fix-it a "b c"', 'b c before a'],
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
