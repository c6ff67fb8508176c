import { readdir, stat } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { listSavedRules, revokeRule, savedRulesFor, saveRule } from './saved-rules.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const wanted = { project: '/p', rule: 'shell(git status*)', at: 1, by: 'ann' };
const saved = { ...wanted, id: expect.stringMatching(/^rule_[0-9a-f]{16}$/) as string };

test('[C40] "allow always" is saved for one project, listed, and given to the gate as a rule of the user', async () => {
  await using home = await temporaryFolder();
  expect(await saveRule(home.folder, wanted)).toEqual({ type: 'saved', saved });
  await saveRule(home.folder, { ...wanted, project: '/q', rule: ' read ' });
  expect(await listSavedRules(home.folder, '/p')).toEqual([saved]);
  expect(await listSavedRules(home.folder)).toEqual([saved, { ...saved, project: '/q', rule: 'read' }]);
  expect(await savedRulesFor(home.folder, '/p')).toEqual([
    // as the first release saved it: a wildcard without an effect covers only reads
    { verdict: 'allow', tool: 'shell', pattern: 'git status*', effect: 'look', origin: 'user' },
  ]);
  expect(await savedRulesFor(home.folder, '/none')).toEqual([]);
});

test('[S6] saved rules reach the gate with effect, script and folder', async () => {
  await using home = await temporaryFolder();
  await saveRule(home.folder, { ...wanted, rule: 'shell(npm test *) [build 0123456789ab in packages/a]' });
  await saveRule(home.folder, { ...wanted, rule: 'shell(rm -rf build)' });
  expect(await savedRulesFor(home.folder, '/p')).toEqual([
    {
      verdict: 'allow',
      tool: 'shell',
      pattern: 'npm test *',
      effect: 'build',
      pin: '0123456789ab',
      folder: 'packages/a',
      origin: 'user',
    },
    { verdict: 'allow', tool: 'shell', pattern: 'rm -rf build', origin: 'user' },
  ]);
});

test('a rule saved twice is one rule; an invalid rule is not saved', async () => {
  await using home = await temporaryFolder();
  await saveRule(home.folder, wanted);
  expect(await saveRule(home.folder, { ...wanted, at: 2, by: 'bob' })).toEqual({ type: 'saved', saved });
  expect(await saveRule(home.folder, { ...wanted, rule: 'shell(' })).toEqual({
    type: 'no-rule',
    message: 'invalid rule "shell("; write tool or tool(pattern).',
  });
  expect(await listSavedRules(home.folder)).toEqual([saved]);
});

test('a saved rule can be revoked, once', async () => {
  await using home = await temporaryFolder();
  await saveRule(home.folder, wanted);
  const [rule] = await listSavedRules(home.folder);
  expect(await revokeRule(home.folder, rule?.id ?? '')).toEqual(saved);
  expect(await revokeRule(home.folder, rule?.id ?? '')).toBeUndefined();
  expect(await listSavedRules(home.folder)).toEqual([]);
});

test('rules saved at the same time are all kept, in a file of mode 0600 and with nothing left beside it', async () => {
  await using place = await temporaryFolder();
  const home = place.at('new/home');
  const rules = Array.from({ length: 8 }, (_, index) => `tool${index}`);
  await Promise.all(rules.map((rule) => saveRule(home, { ...wanted, rule })));
  expect((await listSavedRules(home)).map(({ rule }) => rule).toSorted()).toEqual(rules);
  expect((await stat(place.at('new/home/rules.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(['rules.json']);
});

test('a damaged file is a fault that says what to do, and is not overwritten', async () => {
  await using home = await temporaryFolder();
  await home.write('rules.json', '{"rules":[', 0o600);
  const message = `${home.at('rules.json')} is damaged. Repair it, or delete it to start over.`;
  await expect(listSavedRules(home.folder)).rejects.toMatchObject({ name: 'Fault', code: 'damaged', message });
  await expect(saveRule(home.folder, wanted)).rejects.toMatchObject({ name: 'Fault', code: 'damaged', message });
});

test('entries that are not of our making grant nothing', async () => {
  await using home = await temporaryFolder();
  await home.write(
    'rules.json',
    '{"rules":[{"project":"/p","rule":"*"},null,{"id":"a","project":"/p","rule":"(","at":1,"by":"x"}]}',
    0o600,
  );
  expect(await savedRulesFor(home.folder, '/p')).toEqual([]);
});
