import { expect, test } from 'vitest';

import { createSeals } from './seals.ts';

function shared() {
  let content: unknown;
  const clock = { now: 1_000_000 };
  const file = {
    read: () => Promise.resolve(content),
    update(change: (value: unknown) => unknown) {
      content = change(content);
      return Promise.resolve();
    },
  };
  return { clock, file, node: () => createSeals(file, () => clock.now), content: () => content };
}

test('[C153] a node opens what another one sealed, until it expires', async () => {
  const { clock, node } = shared();
  const [a, b] = [await node(), await node()];
  const sealed = a.seal('bearer', 'Ada · ü.', 1000);
  expect(b.open('bearer', sealed)).toBe('Ada · ü.');
  clock.now += 999;
  expect(b.open('bearer', sealed)).toBe('Ada · ü.');
  clock.now += 1;
  expect([a.open('bearer', sealed), b.open('bearer', sealed)]).toEqual([undefined, undefined]);
});

test('[S12] a code works once, on whichever node it is used first', async () => {
  const { node } = shared();
  const [a, b] = [await node(), await node()];
  const code = a.seal('code', 'owner', 1000);
  expect(await b.openOnce('code', code)).toBe('owner');
  expect([await a.openOnce('code', code), await b.openOnce('code', code)]).toEqual([undefined, undefined]);
  expect(await b.openOnce('code', a.seal('code', 'owner', 1000))).toBe('owner');
});

test('[S12] nothing opens that was changed, sealed for another purpose, or sealed by another store', async () => {
  const [one, other] = [shared(), shared()];
  const seals = await one.node();
  const sealed = seals.seal('code', 'owner', 1000);
  const [until = '', random = '', , tag = ''] = sealed.split('.');
  const changed = `${until}.${random}.${Buffer.from('root').toString('base64url')}.${tag}`;
  for (const bad of [
    changed,
    sealed.replace(until, `${Number(until) + 1}`),
    '',
    '.',
    'a.b.c.d',
    sealed.slice(1),
    // As long as a seal, but not in bytes.
    `x.${'é'.repeat(tag.length)}`,
  ]) {
    expect(seals.open('code', bad)).toBeUndefined();
  }
  expect(seals.open('bearer', sealed)).toBeUndefined();
  expect((await other.node()).open('code', sealed)).toBeUndefined();
});

test('[C153] seals keep the tokens that share their file', async () => {
  const { file, node, content } = shared();
  await file.update(() => ({ version: 1, tokens: ['kept'] }));
  const seals = await node();
  await seals.openOnce('code', seals.seal('code', '', 1000));
  expect(content()).toEqual({
    version: 1,
    tokens: ['kept'],
    secret: expect.any(String) as string,
    spent: expect.any(Object) as object,
  });
});
