import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { fileRulesAmong } from '../../kernel/policy/file-rules.ts';
import { parseRule, type Verdict } from '../../kernel/rule.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { searchFacts } from '../search/search-start.ts';
import { shellFacts } from '../shell/shell-facts.ts';

const rules = fileRulesAmong(
  (
    [
      ['deny', 'read(secrets/**)'],
      ['deny', 'read(**/.env.local)'],
      ['deny', 'edit(src/**)'],
      ['ask', 'read(plans.txt)'],
      ['deny', 'read'],
      ['allow', 'read(docs/**)'],
    ] as readonly (readonly [Verdict, string])[]
  ).flatMap(([verdict, text]) => parseRule(text, verdict, 'project') ?? []),
);

async function place() {
  const made = await mkdtempDisposable(path.join(tmpdir(), 'rondo-file-rules-'));
  const cwd = realpathSync(made.path);
  for (const folder of ['secrets', 'src', 'docs', 'test']) mkdirSync(path.join(cwd, folder));
  for (const file of ['secrets/key.txt', 'src/a.ts', 'docs/a.md', 'plans.txt', '.env.local'])
    writeFileSync(path.join(cwd, file), 'text\n');
  symlinkSync('secrets/key.txt', path.join(cwd, 'link'));
  const context: ToolContext = {
    session: 'ses_files' as SessionId,
    agent: 'test',
    cwd,
    roots: [cwd],
    fileRules: rules,
  };
  return { cwd, context, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
}

const hit = 'read(secrets/**)';

test.each([
  ['cat secrets/key.txt', [hit]],
  ['cat ./docs/../secrets/key.txt | head -1', [hit]],
  ['head -1 < secrets/key.txt', [hit]],
  ['cat s*/key.txt', [hit]],
  ['cat link', [hit]],
  ['cp -r secrets elsewhere', [hit]],
  ['cd secrets && cat key.txt', [hit]],
  ['bash -c "cat secrets/key.txt"', [hit]],
  ['git show HEAD:secrets/key.txt', [hit]],
  ['node --env-file=.env.local docs/a.js', ['read(**/.env.local)']],
  ['cat plans.txt', ['read(plans.txt)']],
  ['echo x > src/a.ts', ['edit(src/**)']],
  ['sed -i s/a/b/ src/a.ts', ['edit(src/**)']],
  ['rm src/a.ts', ['edit(src/**)']],
  ['cat src/a.ts docs/a.md', []],
  ['npm run secrets', []],
  ['ls .', []],
])('[S10][G1] the rules on files hold for the command %j: %j', async (command, expected) => {
  await using world = await place();
  const { dangers = [], grants } = await shellFacts(command, { shell: 'bash' }, world.context);
  const ours = dangers.filter(({ rule }) => /^(?:read|edit)\(/.test(rule));
  expect([...new Set(ours.map(({ rule }) => rule))]).toEqual(expected);
  expect(dangers.length > 0 && grants?.length !== 0).toBe(false);
});

test('[S10][G1] an absolute path and a search in such a folder count too', async () => {
  await using world = await place();
  const { cwd, context } = world;
  const named = await shellFacts(`cat ${cwd}/secrets/key.txt`, { shell: 'bash' }, context);
  expect(named.dangers?.map(({ rule, severity }) => [rule, severity])).toEqual([[hit, 'deny']]);
  for (const start of ['secrets', 'secrets/key.txt'])
    expect((await searchFacts('grep', start, context)).dangers?.map(({ rule }) => rule)).toEqual([hit]);
  expect((await searchFacts('grep', undefined, context)).dangers).toBeUndefined();
});

test.each([
  ['grep -r text .', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
  ['grep -rn text', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
  ['grep --recursive text docs src', []],
  ['grep text docs/a.md', []],
  ['rg text', [hit, 'read(plans.txt)']],
  ['rg --hidden text', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
  ['rg text docs', []],
  ['ls | rg text', []],
  ['git grep text', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
  ['cd docs && grep -r text .', []],
  ['find . -type f -exec cat {} +', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
  ['find . -name "*.ts"', []],
  ['cp -r . copy', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
  ['tar czf copy.tgz .', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
  ['tar xzf copy.tgz', []],
  ['bash -c "grep -r text ."', [hit, 'read(**/.env.local)', 'read(plans.txt)']],
])('[S10][G1] a command that searches a folder with such files asks: %j', async (command, expected) => {
  await using world = await place();
  const { dangers = [] } = await shellFacts(command, { shell: 'bash' }, world.context);
  const ours = dangers.filter(({ rule }) => rule.startsWith('read('));
  expect([...new Set(ours.map(({ rule }) => rule))]).toEqual(expected);
  expect(ours.filter(({ severity }) => severity !== 'ask')).toEqual([]);
});

test('[S10][G1] a search asks only about files that exist, and names one', async () => {
  await using world = await place();
  const { cwd, context } = world;
  const search = async () => (await shellFacts('grep -r text .', { shell: 'bash' }, context)).dangers ?? [];
  expect((await search()).map(({ reason }) => reason)).toContain(
    'It searches a folder with secrets/key.txt, which the project rule read(secrets/**) denies.',
  );
  rmSync(path.join(cwd, 'secrets/key.txt'));
  rmSync(path.join(cwd, '.env.local'));
  expect((await search()).map(({ rule }) => rule)).toEqual(['read(plans.txt)']);
});

test('[S10][G1] a search of a folder that a rule covers whole gets the verdict of the rule', async () => {
  await using world = await place();
  const fileRules = [parseRule('read(**)', 'deny', 'project')].filter((rule) => rule !== undefined);
  const { dangers } = await shellFacts('rg text', { shell: 'bash' }, { ...world.context, fileRules });
  expect(dangers?.map(({ rule, severity }) => [rule, severity])).toEqual([['read(**)', 'deny']]);
});
