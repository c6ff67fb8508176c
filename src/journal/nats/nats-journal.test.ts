// What a read finds damaged counts only if a second look finds it too.
import { expect, test } from 'vitest';

import { noNats } from '../../../test/fixtures/nats/server.ts';
import { freshNatsStore } from '../../../test/fixtures/nats/store-under-test.ts';
import { first as session, record, request } from '../../testing/contracts/journal-samples.ts';
import { openNatsStore } from './nats-store.ts';

test.skipIf(noNats() !== undefined)(
  `[P1] [C152] a record that a server gives once, wrong, doesn't stop the session ${noNats() ?? ''}`,
  async () => {
    let looks = 0;
    let isWrong = (_look: number) => false;
    await using store = await openNatsStore({
      address: await freshNatsStore(),
      tamper(_session, [start, end, checksum, body, ...rest]) {
        looks += 1;
        return [start, end, checksum, isWrong(looks) ? '' : body, ...rest];
      },
    });
    const { position } = store.leases.create(session);
    const answer = await store.journal.append(request(0, [record('a')], { position }));
    isWrong = (look) => look === 1;
    const read = await store.journal.read(session, { after: 0 });
    expect({ looks, events: read.events.length, damage: read.damage }).toEqual({ looks: 2, events: 1 });
    if (answer.type !== 'appended') throw new Error(answer.type);
    const { position: next } = answer;
    expect(await store.journal.append(request(1, [record('b')], { position: next }))).toMatchObject({
      type: 'appended',
    });
    isWrong = () => true;
    expect((await store.journal.read(session, { after: 0 })).damage).toMatchObject({ seq: 1 });
    expect((await store.journal.head(session))?.damage).toMatchObject({ seq: 1 });
  },
);
