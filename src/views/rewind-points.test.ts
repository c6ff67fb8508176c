import { expect, test } from 'vitest';

import { createRondo } from '../rondo.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { rewindPoints, undoneItems } from './rewind-points.ts';

test('[C119] the points are the prompts of the conversation, with what each one changed; a rewound one is gone until the undo', async () => {
  await using rondo = await createRondo(
    testingAgent({
      tools: [
        testTool('write', () => 'written', { access: 'write' }),
        testTool('shell', () => 'ran', { access: 'execute' }),
      ],
      approve: 'all',
    }),
  );
  const session = await rondo.sessions.create();
  const items = async () => (await session.transcript()).items;
  const short = async () => rewindPoints(await items()).map(({ number, text, added }) => [number, text, added]);
  await session.chat('say one');
  const call = 'call write {"path":"a.txt","content":"x\\ny\\n"}\ncall shell {"command":"npm i"}';
  await session.chat(call);
  await session.chat('say three');
  const points = rewindPoints(await items());
  expect(
    points.map(({ to: _to, at: _at, commands, ...rest }) => ({ ...rest, commands: commands.length })),
  ).toEqual([
    { number: 1, text: 'say one', steps: 0, added: 0, removed: 0, paths: [], commands: 0 },
    { number: 2, text: call, steps: 2, added: 2, removed: 0, paths: ['a.txt'], commands: 1 },
    { number: 3, text: 'say three', steps: 0, added: 0, removed: 0, paths: [], commands: 0 },
  ]);
  await session.rewind({ to: points[1]?.to ?? 0 });
  expect(await short()).toEqual([[1, 'say one', 0]]);
  expect(undoneItems(await items()).size).toBeGreaterThan(5);
  await session.rewind({ to: 'undo' });
  expect(await short()).toEqual([
    [1, 'say one', 0],
    [2, call, 2],
    [3, 'say three', 0],
  ]);
});

test('[C119] a prompt that waited for its turn goes back to the end of the turn before it', async () => {
  await using rondo = await createRondo(testingAgent({}));
  const session = await rondo.sessions.create();
  const first = session.chat('say one');
  await session.chat('say two');
  await first;
  const [, two] = rewindPoints((await session.transcript()).items);
  await session.rewind({ to: two?.to ?? 0 });
  expect(rewindPoints((await session.transcript()).items).map(({ text }) => text)).toEqual(['say one']);
});
