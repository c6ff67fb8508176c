// A server that gets a stop signal while its store gives no answer.
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, test } from 'vitest';

import { noNats } from '../fixtures/nats/server.ts';
import { freshNatsStore } from '../fixtures/nats/store-under-test.ts';
import { startProxy } from '../fixtures/postgres/proxy.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';
import { serveRondo } from '../proof/served-rondo.ts';

const engines = [
  { name: 'PostgreSQL', missing: hasServer() ? '' : noServer, address: () => freshSchema() },
  { name: 'NATS', missing: noNats() ?? '', address: () => freshNatsStore(undefined, 'streams=1') },
];

describe.concurrent.each(engines)('a server on $name that is stopped', ({ missing, address }) => {
  test.skipIf(missing !== '')(
    `[O7] releases its sessions once a store that was silent for two seconds answers ${missing}`,
    async ({ expect }) => {
      const place = new URL(await address());
      // Connections that lost bytes stay, and nobody notices.
      await using proxy = await startProxy(Number(place.port));
      place.port = String(proxy.port);
      await using served = await serveRondo({ options: ['--store', place.href, '--drain', '1'] });
      const { session } = await served.post<{ session: string }>('/sessions', { agent: 'testing' });
      await served.post(`/sessions/${session}/inputs`, { type: 'chat', text: 'say hello' });
      proxy.weather = 'silent';
      const stopping = served.terminate();
      await sleep(2000);
      proxy.weather = 'fair';
      expect({ code: await stopping, log: served.log() }).toEqual({
        code: 0,
        log: expect.not.stringContaining("can't release sessions") as string,
      });
    },
    60_000,
  );
});
