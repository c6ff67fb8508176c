// Provider outages as a new user sees them: the real command against a failing provider.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { startFakeProvider, type FakeProvider } from '../fixtures/fake-provider/fake-provider.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const fastTime = path.resolve(import.meta.dirname, '../proof/fast-time-preload.ts');

interface Told {
  readonly type: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly questions?: unknown;
}

async function runAgainst(place: CliPlace, url: string, words: readonly string[] = ['run', 'hello', '--json']) {
  const env = {
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: 'test-key',
    // A run keeps trying for half a minute.
    NODE_OPTIONS: `--import ${fastTime}`,
  };
  return place.start([...words, '--model', 'openai/gpt-5'], { env }).ended;
}

function lastLine(out: string): Told {
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as Told;
}

/** A port of this machine without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function failing(status: number, headers: Readonly<Record<string, string>> = {}): Promise<FakeProvider> {
  const provider = await startFakeProvider();
  provider.respond(() => ({ trouble: { type: 'status', status, headers, message: 'rude today' } }));
  return provider;
}

// They mostly wait, so they run in parallel.
describe.concurrent('a provider that stays down ends the run with exit code 6 and says where and why', () => {
  test('[P9] [C23] when nothing listens there', async () => {
    await using place = await createCliPlace();
    const port = await closedPort();
    const { code, out, err } = await runAgainst(place, `http://127.0.0.1:${port}`);
    const { type, outcome, reason = '', questions } = lastLine(out);
    expect({ code, err, type, outcome, questions }).toEqual({
      code: 6,
      err: '',
      type: 'result',
      outcome: 'unavailable',
      questions: [],
    });
    expect(reason).toContain(`at http://127.0.0.1:${port}`);
    expect(reason).toContain('ECONNREFUSED');
    const { sessions } = (await place.json('ls')) as { sessions: readonly { readonly state: string }[] };
    expect(sessions.map(({ state }) => state)).toEqual(['idle']);
  }, 120_000);

  test.each([500, 503, 529])(
    '[P9] [C23] when it answers %s',
    async (status) => {
      await using place = await createCliPlace();
      await using provider = await failing(status);
      const { code, out } = await runAgainst(place, provider.url);
      const { type, outcome, reason = '' } = lastLine(out);
      expect({ code, type, outcome }).toEqual({ code: 6, type: 'result', outcome: 'unavailable' });
      expect(reason).toContain(`Calling openai/gpt-5 at ${provider.url} failed: ${status} rude today`);
      expect(provider.requests.length).toBeGreaterThan(3);
    },
    120_000,
  );

  test('[P9] [B3] when it names a fraction of a second to wait for', async () => {
    await using place = await createCliPlace();
    await using provider = await failing(429, { 'retry-after-ms': '15000.25' });
    const { code, out } = await runAgainst(place, provider.url);
    const { type, outcome, reason = '' } = lastLine(out);
    expect({ code, type, outcome }).toEqual({ code: 6, type: 'result', outcome: 'unavailable' });
    expect(reason).toContain(`Calling openai/gpt-5 at ${provider.url} failed: 429 rude today`);
  }, 120_000);

  test('[P9] [C21] when its streams break and its whole replies do too', async () => {
    await using place = await createCliPlace();
    await using provider = await startFakeProvider();
    provider.respond(() => ({ text: 'one two three', trouble: { type: 'cut', after: 1 } }));
    const { code, out } = await runAgainst(place, provider.url);
    const { type, outcome, reason = '' } = lastLine(out);
    expect({ code, type, outcome }).toEqual({ code: 6, type: 'result', outcome: 'unavailable' });
    expect(reason).toContain(provider.url);
  }, 120_000);
});

test('[P7] a wall time limit may be a fraction of a millisecond', async () => {
  await using place = await createCliPlace();
  await using provider = await startFakeProvider();
  provider.respond(() => ({ text: 'one two', trouble: { type: 'silence', after: 1 } }));
  const words = ['run', 'hello', '--json', '--timeout', '1.00005'];
  const { code, out } = await runAgainst(place, provider.url, words);
  expect({ code, outcome: lastLine(out).outcome }).toEqual({ code: 7, outcome: 'timed-out' });
});
