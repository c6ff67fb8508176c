// The connection to NATS servers: it comes back after a cut whatever the clock says, and stays where it is answered.
import { afterEach, describe, expect, test, vi } from 'vitest';

import { natsPlace } from '../../src/journal/nats/nats-address.ts';
import { connectNats } from '../../src/journal/nats/nats-client.ts';
import { noNats } from '../fixtures/nats/server.ts';
import { freshNatsStore } from '../fixtures/nats/store-under-test.ts';
import { startProxy } from '../fixtures/postgres/proxy.ts';
import { serveRondo } from '../proof/served-rondo.ts';

const missing = noNats();
const hour = 3_600_000;
afterEach(() => void vi.useRealTimers());

async function throughProxy() {
  const address = new URL(await freshNatsStore(undefined, 'streams=1'));
  const proxy = await startProxy(Number(address.port), { isStrict: true });
  address.port = String(proxy.port);
  const client = await connectNats(natsPlace(address.href), { retryMs: 8000, answerMs: 500 });
  const stream = natsPlace(address.href).name;
  await client.create('Testing', { name: stream, subjects: [`${stream}.>`] });
  const count = async () => client.lastSeq('Testing', stream);
  return {
    proxy,
    client,
    count,
    write: () => client.publish('Testing', `${stream}.a`, ''),
    async [Symbol.asyncDispose]() {
      await client.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(missing !== undefined)(`[C152] a connection to NATS ${missing ?? ''}`, () => {
  test.each([
    ['back', -hour],
    ['forward', hour],
  ])('[O5] comes back after a cut on a machine whose clock was set an hour %s', async (_way, ms) => {
    await using line = await throughProxy();
    expect(await line.write()).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    line.proxy.weather = 'cut';
    line.proxy.weather = 'fair';
    expect(await line.write()).toBe(2);
  });

  test('is left once when many requests stay without an answer, and not again for those sent before', async () => {
    await using line = await throughProxy();
    const left: string[] = [];
    void (async () => {
      for await (const { type } of line.client.connection.status()) {
        if (type === 'forceReconnect') left.push(type);
      }
    })();
    line.proxy.weather = 'silent';
    const early = Array.from({ length: 20 }, async () => line.count());
    // They run out of time one after another, most of them after the connection was left.
    await new Promise((resolve) => setTimeout(resolve, 250));
    const late = Array.from({ length: 20 }, async () => line.count());
    await vi.waitFor(() => expect(left).toHaveLength(1), { timeout: 5000 });
    line.proxy.weather = 'fair';
    expect(await Promise.all([...early, ...late])).toEqual(Array.from({ length: 40 }, () => 0));
    expect(left).toEqual(['forceReconnect']);
  });

  test('[O7] a server that gets a stop signal while its store is unreachable still ends', async () => {
    const address = new URL(await freshNatsStore(undefined, 'streams=1'));
    await using proxy = await startProxy(Number(address.port), { isStrict: true });
    address.port = String(proxy.port);
    await using served = await serveRondo({ options: ['--store', address.href, '--drain', '1'] });
    const { session } = await served.post<{ session: string }>('/sessions', { agent: 'testing' });
    await served.post(`/sessions/${session}/inputs`, { type: 'chat', text: 'say hello' });
    proxy.weather = 'cut';
    expect(await served.terminate()).toBe(1);
    expect(served.log()).toContain("can't tell other servers that this one stops");
    expect(served.log()).toContain('other servers take them over after the lease');
  }, 60_000);
});
