import { chmod } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { temporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { loadConfig, type ConfigSources } from './config-layers.ts';
import { problemToText } from './config-problem.ts';
import { loadManaged, managedPlace } from './managed-policy.ts';

const owner = process.getuid?.() ?? 0;

function placeIn(place: TemporaryFolder) {
  return { file: place.at('etc/rondo/policy.json'), owner };
}

function sourcesIn(place: TemporaryFolder, more: Partial<ConfigSources> = {}): ConfigSources {
  return {
    home: place.at('home'),
    cwd: place.at('project'),
    env: {},
    trust: 'this-run',
    managed: placeIn(place),
    ...more,
  };
}

const policy = {
  policies: { default: { deny: ['shell(git push*)'], ask: ['write(**)'] } },
  limits: { steps: 5, cost: 1 },
  tools: { sandbox: 'workspace' },
};

/** Every lower layer says the opposite. */
const loose = {
  policies: { default: { allow: ['shell', 'write'] } },
  limits: { steps: 500, cost: 100 },
  tools: { sandbox: 'none' },
};

function machine(managed: object | string, user: object = {}, project: object = {}): Promise<TemporaryFolder> {
  return temporaryFolder({
    'etc/rondo/policy.json': typeof managed === 'string' ? managed : JSON.stringify(managed),
    'home/config.json': JSON.stringify(user),
    'project/.git/': '',
    'project/rondo.json': JSON.stringify(project),
  });
}

test.each([
  ['user', loose, {}, {}],
  ['project', {}, loose, {}],
  ['flags', {}, {}, loose],
] as const)('[C139] the layer %s cannot loosen the managed policy', async (_, user, project, flags) => {
  await using place = await machine(policy, user, project);
  const loaded = await loadConfig(sourcesIn(place, { flags: flags as ConfigSources['flags'] & object }));
  if (loaded.type === 'invalid') throw new Error(loaded.problems.map(problemToText).join('\n'));
  const { config, rules, managed } = loaded.config;
  expect([config.limits?.steps, config.limits?.cost, config.tools?.sandbox]).toEqual([5, 1, 'workspace']);
  const managedRules = [
    { verdict: 'deny', tool: 'shell', pattern: 'git push*', origin: 'managed' },
    { verdict: 'ask', tool: 'write', pattern: '**', origin: 'managed' },
  ];
  expect(rules.filter(({ origin }) => origin === 'managed')).toEqual(managedRules);
  expect(managed?.rules).toEqual(managedRules);
});

test("[C139] a lower layer's stricter setting stays", async () => {
  await using place = await machine(policy, { limits: { steps: 2 }, tools: { sandbox: 'workspace-no-network' } });
  const loaded = await loadConfig(sourcesIn(place));
  if (loaded.type === 'invalid') throw new Error(loaded.problems.map(problemToText).join('\n'));
  const { limits, tools } = loaded.config.config;
  expect([limits?.steps, limits?.cost, tools?.sandbox]).toEqual([2, 1, 'workspace-no-network']);
});

test.each([
  ['is no JSON', '{', /policy\.json:\d+:\d+: /],
  ['has a key that nobody knows', '{"rules":[]}', /rules: /],
  ['has a bad rule', '{"policies":{"default":{"deny":["shell("]}}}', /shell\(/],
  [
    'allows something',
    '{"policies":{"default":{"allow":["shell"]}}}',
    /policies\.default\.allow: a managed policy can only tighten/,
  ],
  ['sets what is no policy', '{"store":"memory:"}', /store: a managed policy can only tighten/],
  [
    'raises what a higher number makes stricter',
    '{"limits":{"errorPauseMs":1}}',
    /limits\.errorPauseMs: a managed policy/,
  ],
])('[C139] with a managed policy that %s nothing starts', async (_, text, words) => {
  await using place = await machine(text);
  const loaded = await loadConfig(sourcesIn(place));
  expect(loaded.type === 'invalid' ? loaded.problems.map(problemToText).join('\n') : 'loaded').toMatch(words);
});

test('[C139] a managed policy that others can change, or that cannot be read, is not passed over', async () => {
  await using place = await machine(policy);
  const at = placeIn(place);
  await chmod(at.file, 0o666);
  expect(await loadManaged(at)).toMatchObject({
    type: 'invalid',
    problems: [
      { message: expect.stringContaining(`users other than the administrator can change ${at.file}`) as string },
    ],
  });
  await chmod(at.file, 0o644);
  await chmod(place.at('etc/rondo'), 0o777);
  expect(await loadManaged(at)).toMatchObject({ type: 'invalid' });
  await chmod(place.at('etc/rondo'), 0o755);
  expect(await loadManaged(at)).toMatchObject({ type: 'loaded' });
  const folder = { file: place.at('etc/rondo'), owner };
  expect(await loadManaged(folder)).toMatchObject({ type: 'invalid' });
  expect(await loadManaged({ file: place.at('etc/none.json'), owner })).toEqual({ type: 'none' });
});

test.runIf(owner === 0)('[C139] a managed policy of another user is refused', async () => {
  await using place = await machine(policy);
  const { chown } = await import('node:fs/promises');
  await chown(place.at('etc/rondo/policy.json'), 12_345, 12_345);
  expect(await loadManaged({ file: place.at('etc/rondo/policy.json'), owner: 0 })).toMatchObject({
    type: 'invalid',
  });
});

test('[C139] its place is the system’s and no variable names another', () => {
  expect(['linux', 'darwin', 'win32'].map((platform) => managedPlace(platform as NodeJS.Platform).file)).toEqual([
    '/etc/rondo/policy.json',
    '/Library/Application Support/Rondo/policy.json',
    'C:\\Program Files\\Rondo\\policy.json',
  ]);
});
