// Limits through the real binary, against a provider that records its requests.
import { describe, expect, test } from 'vitest';

import { startFakeProvider } from '../fixtures/fake-provider/fake-provider.ts';
import { createCliPlace, type CliPlace, type Ended } from './cli-process.ts';

function resultIn({ out }: Ended): Readonly<Record<string, unknown>> {
  return JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Readonly<Record<string, unknown>>;
}

async function placeAt(url: string): Promise<CliPlace> {
  const place = await createCliPlace();
  await place.write('rondo.json', {
    endpoints: {
      fake: { type: 'openai-compatible', baseUrl: `${url}/v1` },
      far: { type: 'anthropic', baseUrl: `${url}/v1`, apiKey: 'none' },
    },
    models: {
      priced: { endpoint: 'fake', model: 'fake-model', price: { input: 3, output: 15 } },
    },
  });
  expect((await place.rondo('trust', '--yes')).code).toBe(0);
  return place;
}

test('[P7][C137][L9] a top-level run of 40 equal calls is warned and then stopped', async () => {
  await using provider = await startFakeProvider({ strict: true });
  await using place = await placeAt(provider.url);
  provider.reply(...Array.from({ length: 40 }, () => ({ calls: [{ name: 'list', args: {} }] })));
  const ended = await place.rondo('run', '--model', 'priced', '--json', 'look around');
  const evidence = 'list was called 10 times with the same arguments and gave the same result.';
  expect({ code: ended.code, calls: provider.requests.length }).toEqual({ code: 1, calls: 10 });
  expect(resultIn(ended)).toMatchObject({
    outcome: 'failed',
    reason: `The turn was stopped as looping: ${evidence}`,
    toolCalls: 10,
  });
});

test('two commands of a person get different ids, which the provider sees', async () => {
  await using provider = await startFakeProvider({ strict: true });
  await using place = await placeAt(provider.url);
  provider.reply({ text: 'Seen.' });
  const first = await place.rondo('run', '--mode', 'tool-only', '--model', 'priced', '--json', 'list {}');
  const session = String(resultIn(first)['session']);
  expect((await place.rondo('run', '--session', session, 'list {"path":"."}')).code).toBe(0);
  const asked = await place.rondo('run', '--session', session, '--mode', 'interactive', 'what did I list?');
  expect(asked).toMatchObject({ code: 0, out: 'Seen.\n' });
  const sent = provider.requests[0]?.body as { messages?: readonly { tool_calls?: readonly { id: string }[] }[] };
  const messages = sent.messages ?? [];
  const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
  expect({ calls: ids.length, different: new Set(ids).size }).toEqual({ calls: 2, different: 2 });
});

describe('[P7][L4][L5] a limit that the first call would exceed', () => {
  test.each([
    { flag: '--max-tokens', value: '100', reason: /needs about \d+ tokens, and 100 of 100 tokens are left/ },
    {
      flag: '--max-cost',
      value: '0.00001',
      reason: /needs at least \$0\.\d+, and \$0\.000010 of \$0\.000010 are left/,
    },
  ])('$flag $value ends the run with 5 before anything is sent', async ({ flag, value, reason }) => {
    await using provider = await startFakeProvider({ strict: true });
    await using place = await placeAt(provider.url);
    const ended = await place.rondo('run', '--model', 'priced', flag, value, '--json', 'hello');
    expect({ code: ended.code, requests: provider.requests.length }).toEqual({ code: 5, requests: 0 });
    expect(resultIn(ended)).toMatchObject({
      outcome: 'limit',
      reason: expect.stringMatching(reason) as string,
      usage: { inputTokens: 0, outputTokens: 0, cost: 0, costIsKnown: true },
    });
  });

  test('a cost limit with a model of unknown price is a mistake of usage', async () => {
    await using provider = await startFakeProvider({ strict: true });
    await using place = await placeAt(provider.url);
    const ended = await place.rondo('run', '--model', 'far/mystery', '--max-cost', '1', 'hello');
    expect({ code: ended.code, requests: provider.requests.length }).toEqual({ code: 2, requests: 0 });
    expect(ended.err).toContain("The price of far/mystery is unknown, so --max-cost can't be enforced.");
  });

  test('one with room is sent, with the rest as its output limit', async () => {
    await using provider = await startFakeProvider({ strict: true });
    await using place = await placeAt(provider.url);
    provider.reply({ text: 'Hi.', usage: { input: 4000, output: 5 } });
    const ended = await place.rondo('run', '--model', 'priced', '--max-cost', '0.1', '--json', 'hello');
    expect(ended.code).toBe(0);
    const [request] = provider.requests;
    const most = (request?.body as { max_tokens?: number } | undefined)?.max_tokens ?? 0;
    // $0.10 buys 6,666 tokens of output; the request costs part of it.
    expect(most).toBeGreaterThan(3000);
    expect(most).toBeLessThan(6666);
  });
});
