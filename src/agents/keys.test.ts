import { expect, test } from 'vitest';

import { findKey, keyTimes, storeKey, withStoredKeys } from './keys.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const user = { endpoint: 'main', layer: 'user' } as const;

test('a key comes from the configuration, from its own file or from keys.json, in this order', async () => {
  await using home = await temporaryFolder();
  await home.write('keys.json', '{"main":"from keys"}', 0o600);
  await home.write('main.key', 'from file\n', 0o600);
  const find = (wanted: Parameters<typeof findKey>[1]) => findKey(home.folder, wanted, { HOME: home.folder });
  expect(await find({ ...user, apiKey: 'k', apiKeyFile: 'main.key' })).toEqual({
    type: 'found',
    key: 'k',
    from: 'the configuration',
  });
  const file = { type: 'found', key: 'from file', from: home.at('main.key') };
  expect(await find({ ...user, apiKey: '', apiKeyFile: 'main.key' })).toEqual(file);
  expect(await find({ ...user, apiKeyFile: '~/main.key' })).toEqual(file);
  expect(await find(user)).toEqual({ type: 'found', key: 'from keys', from: home.at('keys.json') });
  expect(await find({ ...user, endpoint: 'other' })).toEqual({ type: 'none' });
});

test("keys.json does not give the user's key to a project's endpoint of the same name", async () => {
  await using home = await temporaryFolder();
  await home.write('keys.json', '{"anthropic":"k"}', 0o600);
  expect(await findKey(home.folder, { endpoint: 'anthropic', layer: 'project' }, {})).toEqual({ type: 'none' });
  expect((await findKey(home.folder, { endpoint: 'anthropic', layer: 'default' }, {})).type).toBe('found');
});

test.each([0o644, 0o640, 0o604, 0o660])('a key file of mode %i that others can read is refused', async (mode) => {
  await using home = await temporaryFolder();
  await home.write('keys.json', '{"main":"k"}', mode);
  await home.write('main.key', 'k', mode);
  for (const [name, wanted] of [
    ['keys.json', user],
    ['main.key', { ...user, apiKeyFile: 'main.key' }],
  ] as const) {
    const file = home.at(name);
    expect(await findKey(home.folder, wanted, {})).toEqual({
      type: 'refused',
      file,
      message: `Ignoring key file ${file}: other users can read it. Run: chmod 600 ${file}.`,
    });
  }
});

test('a key file that is missing, empty or no key file is refused without its content', async () => {
  await using home = await temporaryFolder();
  await home.write('empty.key', '\n', 0o600);
  await home.write('keys.json', '["sk-secret"]', 0o600);
  const why = async (wanted: Parameters<typeof findKey>[1]) => {
    const key = await findKey(home.folder, wanted, {});
    return key.type === 'refused' ? key.message.replace(`${home.folder}/`, '') : key;
  };
  expect(await why({ ...user, apiKeyFile: 'no.key' })).toBe(
    "Ignoring key file no.key: the file doesn't exist; the endpoint main reads its key from it.",
  );
  expect(await why({ ...user, apiKeyFile: 'empty.key' })).toBe('Ignoring key file empty.key: it is empty.');
  expect(await why({ ...user, apiKeyFile: '.' })).toMatch(/it isn't a small plain file|it can't be read/);
  expect(await why(user)).toBe(
    'Ignoring key file keys.json: it must be a JSON object of endpoint names and keys.',
  );
});

test('[C147] a stored key serves the built-in endpoint of its name, unless the environment has one', async () => {
  await using home = await temporaryFolder();
  await storeKey(home.folder, 'google', 'stored-g', 1000);
  await storeKey(home.folder, 'anthropic', 'stored-a', 2000);
  await storeKey(home.folder, 'mine', 'stored-m', 3000);
  expect(await withStoredKeys(home.folder, { PATH: '/bin', GOOGLE_API_KEY: 'own' })).toEqual({
    env: { PATH: '/bin', GOOGLE_API_KEY: 'own', ANTHROPIC_API_KEY: 'stored-a' },
    stored: ['anthropic'],
    keys: ['stored-g', 'stored-a', 'stored-m'],
  });
  expect(await keyTimes(home.folder)).toEqual(
    new Map([
      ['google', 1000],
      ['anthropic', 2000],
      ['mine', 3000],
    ]),
  );
  expect(await findKey(home.folder, { ...user, endpoint: 'mine' }, {})).toMatchObject({ key: 'stored-m' });
});

test('[C147] keys that others can read are no keys of built-in endpoints', async () => {
  await using home = await temporaryFolder();
  await home.write('keys.json', '{"anthropic":"k"}', 0o644);
  expect(await withStoredKeys(home.folder, {})).toEqual({ env: {}, stored: [], keys: [] });
  expect(await keyTimes(home.folder)).toEqual(new Map());
});
