import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
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
