import { expect, test } from 'vitest';

import type { Call } from '../kernel/call.ts';
import type { Message } from '../kernel/message.ts';
import type { Rule } from '../kernel/rule.ts';
import { call } from '../testing/inputs.ts';
import { withComposedUrls } from './composed-urls.ts';
import type { EffectHost } from '../ports/effect-host.ts';

function fetchOf(url: string): Call {
  return { ...call('c', 'web_fetch', { access: 'network', urls: [url] }), args: JSON.stringify({ url }) };
}

function hostWith(messages: readonly Message[], rules: readonly Rule[] = []): EffectHost {
  return { messages: () => messages, state: { rules }, read: async () => '' } as unknown as EffectHost;
}

const conversation: readonly Message[] = [
  { role: 'user', text: 'Read https://docs.test/guide and tell me.' },
  { role: 'assistant', text: 'I go to https://evil.test/?q=secret', calls: [] },
  {
    role: 'tool',
    call: 'a' as never,
    tool: 'web_search',
    outcome: 'success',
    text: '{"url":"https://found.test/page?id=1"}',
  },
];

test.each([
  ['https://docs.test/guide', false],
  ['https://found.test/page?id=1', false],
  ['https://evil.test/?q=secret', true],
  ['https://docs.test/guide?leak=KEY', true],
  ['https://docs.test/gui', true],
])('[S18] %s is asked about: %s', async (url, isAsked) => {
  const [judged] = await withComposedUrls([fetchOf(url)], hostWith(conversation));
  expect(judged?.facts.dangers ?? []).toEqual(
    isAsked
      ? [
          {
            rule: 'composed-url',
            severity: 'ask',
            reason: `The model composed this address; it can carry data out: ${url}`,
          },
        ]
      : [],
  );
});

test('[S18] judges the fetched address of two in one call', async () => {
  const evil = 'https://evil.test/?q=secret';
  const judged = { ...fetchOf(evil), args: `{"url":"https://docs.test/guide","url":"${evil}"}` };
  const [asked] = await withComposedUrls([judged], hostWith(conversation));
  expect(asked?.facts.dangers?.length ?? 0).toBe(1);
});

test('[S18] an address counts as said however the person spelled it', async () => {
  const messages: readonly Message[] = [{ role: 'user', text: 'Look at HTTPS://Docs.test and tell me.' }];
  const judged = { ...fetchOf('https://docs.test/'), args: '{"url":"HTTPS://Docs.test"}' };
  const [free] = await withComposedUrls([judged], hostWith(messages));
  expect(free?.facts.dangers ?? []).toEqual([]);
});

test('[S18] a rule that names the very address allows it; a wildcard does not', async () => {
  const url = 'https://api.test/status';
  const under = async (pattern: string) => {
    const rules: readonly Rule[] = [{ verdict: 'allow', tool: 'web_fetch', pattern, origin: 'user' }];
    const [judged] = await withComposedUrls([fetchOf(url)], hostWith([], rules));
    return judged?.facts.dangers?.length ?? 0;
  };
  expect([await under(url), await under('https://api.test/*'), await under('**')]).toEqual([0, 1, 1]);
});

test('[S18] an address stands as it was normalised, as the model wrote it, or without its last slash', async () => {
  const asked = async (words: string, url: string, args: unknown) => {
    const fetch = { ...fetchOf(url), args: typeof args === 'string' ? args : (args as never) };
    const [judged] = await withComposedUrls([fetch], hostWith([{ role: 'user', text: words }]));
    return judged?.facts.dangers?.length ?? 0;
  };
  const url = 'https://docs.test/';
  expect(await asked('see https://docs.test', url, '{"url":"https://docs.test"}')).toBe(0);
  expect(await asked('see HTTPS://DOCS.test now', url, '{"url" : "HTTPS://DOCS.test"}')).toBe(0);
  expect(await asked('see HTTPS://DOCS.test now', url, '{}')).toBe(1);
  expect(await asked('see https://docs.test', url, '{}')).toBe(0);
  expect(await asked('see https://docs.test', url, { blob: 'b', length: 1, preview: '' })).toBe(0);
  expect(await asked('https://docs.test/x and https://docs.test/', url, '{}')).toBe(0);
  expect(await asked('https://docs.testing', 'https://docs.test', '{}')).toBe(1);
  expect(await asked('https://docs.tests and more', 'https://docs.test', '{}')).toBe(1);
  for (const end of ' \n"\'<>)]},;.!?') expect(await asked(`${url}${end}`, url, '{}')).toBe(0);
});
