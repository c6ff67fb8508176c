import { chmodSync, existsSync, readdirSync } from 'node:fs';
import net from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createLocalBus, type LocalBus } from './local-bus.ts';

async function setUp() {
  const place = await temporaryFolder({ 'bus/': '' });
  chmodSync(place.at('bus'), 0o700);
  const folder = place.at('bus');
  const busses: LocalBus[] = [];
  onTestFinished(async () => {
    for (const bus of busses) await bus[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });
  const busNamed = (name: string, at = folder) => {
    const bus = createLocalBus(() => ({ folder: at, name }));
    busses.push(bus);
    return bus;
  };
  const heardBy = (bus: LocalBus, topic: string) => {
    const heard: string[] = [];
    const stop = bus.subscribe(topic, (message) => heard.push(message));
    return { heard, stop };
  };
  return { folder, place, busNamed, heardBy };
}

/** A subscription takes a moment to be known: publishes until a message comes through, and forgets what came. */
async function known(from: LocalBus, topic: string, heard: string[]): Promise<void> {
  await expect
    .poll(() => {
      from.publish(topic, 'probe');
      return heard.includes('probe');
    })
    .toBe(true);
  from.publish(topic, 'last probe');
  await expect.poll(() => heard.includes('last probe')).toBe(true);
  heard.length = 0;
}

test('[C97] a process receives topics subscribed before and after it met the others', async () => {
  const { busNamed, heardBy } = await setUp();
  const [a, b] = [busNamed('a'), busNamed('b')];
  const early = heardBy(b, 'early');
  await a.start();
  await b.start();
  await expect.poll(() => [a.peers(), b.peers()]).toEqual([1, 1]);
  a.publish('early', 'at once');
  await expect.poll(() => early.heard).toEqual(['at once']);
  const late = heardBy(b, 'late');
  await known(a, 'late', late.heard);
  for (const topic of ['early', 'late', 'other']) a.publish(topic, `of ${topic}`);
  await expect.poll(() => [early.heard, late.heard]).toEqual([['at once', 'of early'], ['of late']]);
});

test('[C97] a topic is sent as long as somebody listens, and again when somebody listens again', async () => {
  const { busNamed, heardBy } = await setUp();
  const [a, b] = [busNamed('a'), busNamed('b')];
  const [one, two] = [heardBy(b, 't'), heardBy(b, 't')];
  await a.start();
  await b.start();
  await known(a, 't', two.heard);
  one.heard.length = 0;
  one.stop();
  a.publish('t', 'first');
  await expect.poll(() => two.heard).toEqual(['first']);
  two.stop();
  two.stop();
  // Behind `off` on the same connection: once it is known, `off` is too.
  const marker = heardBy(b, 'marker');
  await known(a, 'marker', marker.heard);
  const written: string[] = [];
  const { write } = net.Socket.prototype;
  net.Socket.prototype.write = function (this: net.Socket, ...given: unknown[]) {
    written.push(String(given[0]));
    return Reflect.apply(write, this, given) as boolean;
  };
  try {
    a.publish('t', 'nobody listens');
    a.publish('marker', 'm');
  } finally {
    net.Socket.prototype.write = write;
  }
  expect(written).toEqual(['["say","marker","m"]\n']);
  const again = heardBy(b, 't');
  await known(a, 't', again.heard);
  expect([one.heard, two.heard]).toEqual([[], ['first']]);
});

test('[C97] processes that meet each other at the same time keep one connection', async () => {
  const { busNamed, heardBy } = await setUp();
  const busses = ['a', 'b', 'c'].map((name) => busNamed(name));
  const heard = busses.map((bus) => heardBy(bus, 't').heard);
  await Promise.all(busses.map((bus) => bus.start()));
  await expect.poll(() => busses.map((bus) => bus.peers())).toEqual([2, 2, 2]);
  const [a, b, c] = busses as [LocalBus, LocalBus, LocalBus];
  await known(a, 't', heard[1] ?? []);
  await known(a, 't', heard[2] ?? []);
  await known(b, 't', heard[0] ?? []);
  await known(b, 't', heard[2] ?? []);
  await known(c, 't', heard[0] ?? []);
  await known(c, 't', heard[1] ?? []);
  const messages = () => heard.map((each) => each.filter((message) => !message.endsWith('probe')).toSorted());
  a.publish('t', 'once');
  b.publish('t', 'back');
  c.publish('t', 'back');
  await expect.poll(messages).toEqual([
    ['back', 'back'],
    ['back', 'once'],
    ['back', 'once'],
  ]);
});

test.each([
  ['z', 'first'],
  ['a', 'second'],
])(
  '[C97] of two connections with %s, keeps the one made by the alphabetically first node: the %s',
  async (other, kept) => {
    const { busNamed, folder } = await setUp();
    const ended: string[] = [];
    const hello = `["hello","${other}",["t"]]\n`;
    const greet = (socket: net.Socket, name: string) => {
      onTestFinished(() => void socket.destroy());
      socket.on('end', () => ended.push(name));
      socket.resume();
      socket.write(hello);
    };
    const server = net.createServer((socket) => greet(socket, 'first'));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(`${folder}/${other}.sock`, resolve));
    const bus = busNamed('m');
    await bus.start();
    await expect.poll(() => bus.peers()).toBe(1);
    greet(net.connect(`${folder}/m.sock`), 'second');
    await expect.poll(() => ended).toEqual([kept === 'first' ? 'second' : 'first']);
    expect(bus.peers()).toBe(1);
  },
);

test('[C97] a process that leaves is forgotten', async () => {
  const { busNamed, folder } = await setUp();
  const [a, b] = [busNamed('a'), busNamed('b')];
  await a.start();
  await b.start();
  await b[Symbol.asyncDispose]();
  await expect.poll(() => a.peers()).toBe(0);
  expect(readdirSync(folder)).toEqual(['a.sock']);
  await b.start();
  expect(readdirSync(folder)).toEqual(['a.sock']);
  await expect.poll(() => b.peers()).toBe(0);
});

test('[C97] a socket that a killed process left behind is removed', async () => {
  const { busNamed, folder } = await setUp();
  const left = net.createServer();
  await new Promise<void>((resolve) => left.listen(`${folder}/dead.sock`, resolve));
  // Closing removes the file; a killed process leaves it.
  const { rename, writeFile } = await import('node:fs/promises');
  await rename(`${folder}/dead.sock`, `${folder}/kept`);
  await new Promise<void>((resolve) => left.close(() => resolve()));
  await rename(`${folder}/kept`, `${folder}/dead.sock`);
  await writeFile(`${folder}/plain.sock`, '');
  const a = busNamed('a');
  await a.start();
  await expect.poll(() => existsSync(`${folder}/dead.sock`)).toBe(false);
  expect(a.peers()).toBe(0);
});

test('[C97] a folder that others may enter is not used, nor one whose path is too long for a socket', async () => {
  const { busNamed, folder, place } = await setUp();
  chmodSync(folder, 0o750);
  const a = busNamed('a');
  await a.start();
  expect(readdirSync(folder)).toEqual([]);
  const long = place.at('x'.repeat(100));
  await busNamed('b', long).start();
  expect(existsSync(long)).toBe(false);
  const longest = (length: number) => place.at('y'.repeat(length - `${place.folder}//b.sock`.length));
  await busNamed('b', longest(101)).start();
  await busNamed('b', longest(100)).start();
  expect([existsSync(longest(101)), existsSync(longest(100))]).toEqual([false, true]);
  const made = place.at('made/here');
  await busNamed('c', made).start();
  expect(readdirSync(made)).toEqual(['c.sock']);
});

test('[C97] a bus that is to start soon starts once, and not where it was closed before', async () => {
  const { busNamed, folder } = await setUp();
  const [a, b] = [busNamed('a'), busNamed('b')];
  a.startSoon();
  a.startSoon();
  b.startSoon();
  await b[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual([]);
  await expect.poll(() => readdirSync(folder)).toEqual(['a.sock']);
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(readdirSync(folder)).toEqual(['a.sock']);
});
