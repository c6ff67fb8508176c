import { expect, test } from 'vitest';
import { z } from 'zod';

import { createRondo } from '../rondo.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import type { ClientInput } from './client-input.ts';
import { inputType } from './input-type.ts';

const ticket = inputType(z.object({ id: z.int(), title: z.string().min(1) }), ({ id, title }, { state }) =>
  state.title === 'closed for tickets'
    ? { code: 'invalid', message: 'no more tickets' }
    : { type: 'chat', text: `Ticket ${id}: ${title}` },
);
const send = (data: unknown, name = 'ticket'): ClientInput => ({ type: 'custom', name, data });

test("[C150] a program's input type is checked by its schema and becomes what its handler says", async () => {
  await using rondo = await createRondo({ ...testingAgent(), inputs: { ticket } });
  const session = await rondo.sessions.create();
  const result = await session.run([send({ id: 4, title: 'tea is cold' })]);
  expect([result.outcome, result.text]).toEqual(['completed', 'You said: Ticket 4: tea is cold']);
  expect(await session.send(send({ id: 'four', title: '' }))).toEqual({
    type: 'refused',
    refusal: {
      code: 'invalid',
      message:
        'invalid data: id: Invalid input: expected number, received string; title: Too small: expected string to have >=1 characters',
    },
  });
  expect(await session.send(send({}, 'toString'))).toEqual({
    type: 'refused',
    refusal: { code: 'invalid', message: 'unknown input type "toString". Registered: ticket.' },
  });
  const closed = await rondo.sessions.create({ title: 'closed for tickets' });
  expect(await closed.send(send({ id: 5, title: 'late' }))).toMatchObject({
    refusal: { message: 'no more tickets' },
  });
});

test('[C150] [P1] a custom input counts once under its key', async () => {
  await using rondo = await createRondo({ ...testingAgent(), inputs: { ticket } });
  const session = await rondo.sessions.create();
  const input = send({ id: 4, title: 'tea' });
  const first = await session.send(input, { key: 'k' });
  expect(await session.send(input, { key: 'k' })).toEqual(first);
  await session.wait();
  const { events } = await session.events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'prompt-received')).toHaveLength(1);
});

test('[C150] without any registered type a custom input is refused', async () => {
  await using rondo = await createRondo(testingAgent());
  const session = await rondo.sessions.create();
  expect(await session.send(send({}))).toMatchObject({
    refusal: { message: 'unknown input type "ticket". This program registers none.' },
  });
});
