/**
 * The bus between processes on one machine: each listens on a Unix socket (a named pipe on Windows) in a private
 * folder and connects to all others there.
 *
 * 1. It opens nothing before `start`. Failures are silent, because the bus is best effort.
 * 2. Two processes share one connection. Each subscribes to topics and receives no others.
 * 3. A slow process misses messages; the publisher neither waits nor buffers without limit.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';

import type { Bus } from '../ports/bus.ts';
import { createListeners, type Listeners } from './listeners.ts';

export interface LocalBus extends Bus {
  /** Starts listening. Resolves when the existing processes have answered, or after a timeout. */
  start(): Promise<void>;
  /** Starts after a moment, so that a short-lived process never opens a socket. */
  startSoon(): void;
  /** How many other processes are connected. */
  peers(): number;
}

interface Peer {
  readonly socket: net.Socket;
  readonly topics: Set<string>;
  /** The name of the connecting process. */
  readonly initiator: string;
}

type Line =
  | readonly ['hello', name: string, topics: readonly string[]]
  | readonly ['on' | 'off', topic: string]
  | readonly ['say', topic: string, message: string];

const longestSocketPath = 100;
const mostUnsent = 8_000_000;
const longestLine = 64_000_000;
const helloWithinMs = 250;
const soonMs = 100;

interface BusPlace {
  readonly folder: string;
  /** Of this process, for the others. */
  readonly name: string;
}

/** `place` is read on start. */
export function createLocalBus(place: () => BusPlace): LocalBus {
  const topics = new Map<string, Listeners<string>>();
  const peers = new Map<string, Peer>();
  const sockets = new Set<net.Socket>();
  let server: net.Server | undefined;
  let started: Promise<void> | undefined;
  let soon: NodeJS.Timeout | undefined;
  let isClosed = false;
  let at: BusPlace = { folder: '', name: '' };

  async function begin(): Promise<void> {
    // Lets the process's current work go first.
    await new Promise((resolve) => setImmediate(resolve).unref());
    if (isClosed) return;
    at = place();
    const { folder, name } = at;
    if (socketPath(folder, name).length > longestSocketPath || !(await isOurs(folder))) return;
    await listen();
    const others = (await readdir(folder).catch(() => [])).filter((file) => file !== fileOf(name));
    await Promise.all(others.map((file) => meet(path.basename(file, extension))));
  }

  async function listen(): Promise<void> {
    const { folder, name } = at;
    const listening = net.createServer((socket) => void greet(socket, undefined));
    listening.unref();
    await new Promise<void>((resolve) => {
      listening.once('error', () => resolve());
      listening.listen(socketPath(folder, name), resolve);
    });
    listening.on('error', () => undefined);
    server = listening;
    if (process.platform === 'win32') await writeFile(path.join(folder, fileOf(name)), '').catch(() => undefined);
    if (isClosed) listening.close();
  }

  function meet(other: string): Promise<void> {
    const { folder, name } = at;
    if (isClosed) return Promise.resolve();
    const socket = net.connect(socketPath(folder, other));
    socket.once('error', (error) => {
      // Left by a killed process.
      if ('code' in error && error.code === 'ECONNREFUSED')
        void rm(path.join(folder, fileOf(other)), { force: true });
    });
    return greet(socket, name);
  }

  /** Resolves after the peer's hello, a hang-up or a timeout. */
  function greet(socket: net.Socket, initiator: string | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const giveUp = setTimeout(resolve, helloWithinMs);
    giveUp.unref();
    sockets.add(socket);
    socket.unref();
    socket.setEncoding('utf8');
    send(socket, ['hello', at.name, [...topics.keys()]]);
    let other: string | undefined;
    let rest = '';
    socket.on('data', (chunk: string) => {
      rest += chunk;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) socket.destroy();
      for (const text of lines) {
        const line = JSON.parse(text) as Line;
        if (line[0] !== 'hello') {
          hear(other, line);
          continue;
        }
        [, other] = line;
        welcome(other, { socket, topics: new Set(line[2]), initiator: initiator ?? other });
        resolve();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      if (other !== undefined && peers.get(other)?.socket === socket) peers.delete(other);
      resolve();
    });
    return promise.finally(() => clearTimeout(giveUp));
  }

  /** If two processes connect to each other at once, the connection of the alphabetically first one stays. */
  function welcome(other: string, peer: Peer): void {
    const earlier = peers.get(other);
    if (earlier !== undefined && earlier.initiator <= peer.initiator && earlier.initiator !== peer.initiator) {
      peer.socket.end();
      return;
    }
    peers.set(other, peer);
    earlier?.socket.end();
  }

  function hear(other: string | undefined, line: Exclude<Line, readonly ['hello', ...unknown[]]>): void {
    const peer = other === undefined ? undefined : peers.get(other);
    if (line[0] === 'say') topics.get(line[1])?.tell(line[2]);
    else if (line[0] === 'on') peer?.topics.add(line[1]);
    else peer?.topics.delete(line[1]);
  }

  function tellPeers(line: Line): void {
    for (const { socket } of peers.values()) send(socket, line);
  }

  function start(): Promise<void> {
    if (isClosed) return Promise.resolve();
    started ??= begin();
    return started;
  }

  return {
    start,
    startSoon() {
      if (started === undefined) soon ??= setTimeout(() => void start(), soonMs).unref();
    },
    peers: () => peers.size,
    publish(topic, message) {
      let text: string | undefined;
      for (const { socket, topics: wanted } of peers.values()) {
        if (!wanted.has(topic) || socket.writableLength > mostUnsent) continue;
        text ??= `${JSON.stringify(['say', topic, message] satisfies Line)}\n`;
        socket.write(text);
      }
    },
    subscribe(topic, listener) {
      const group = topics.get(topic);
      const listeners = group ?? createListeners<string>();
      if (group === undefined) {
        topics.set(topic, listeners);
        tellPeers(['on', topic]);
      }
      const remove = listeners.add(listener);
      return () => {
        remove();
        if (listeners.size > 0 || topics.get(topic) !== listeners) return;
        topics.delete(topic);
        tellPeers(['off', topic]);
      };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(soon);
      topics.clear();
      // The bus doesn't keep the process alive, except while it meets the others.
      const hold = setInterval(() => undefined, helloWithinMs);
      await started;
      clearInterval(hold);
      for (const socket of sockets) socket.end();
      server?.close();
      if (process.platform === 'win32' && server !== undefined) {
        await rm(path.join(at.folder, fileOf(at.name)), { force: true });
      }
    },
  };
}

/** Opens sockets at once for a subscriber, and after a while for a publisher. */
export function lazyBus(bus: LocalBus): Bus {
  return {
    publish(topic, message) {
      bus.startSoon();
      bus.publish(topic, message);
    },
    subscribe(topic, listener) {
      void bus.start();
      return bus.subscribe(topic, listener);
    },
    [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
  };
}

const extension = '.sock';

function fileOf(name: string): string {
  return `${name}${extension}`;
}

function socketPath(folder: string, name: string): string {
  if (process.platform !== 'win32') return path.join(folder, fileOf(name));
  return `\\\\.\\pipe\\${path.basename(folder)}-${name}`;
}

/** A folder in a shared place must belong to this user and be closed to others. */
async function isOurs(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (process.platform === 'win32') return true;
    const { uid, mode } = await stat(folder);
    return uid === process.getuid?.() && (mode & 0o077) === 0;
  } catch {
    return false;
  }
}

function send(socket: net.Socket, line: Line): void {
  socket.write(`${JSON.stringify(line)}\n`);
}
