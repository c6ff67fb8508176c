/**
 * The bus between processes on one machine: each listens on a Unix socket (a named pipe on Windows)
 * in a folder that only this user may enter, and connects to all it finds there.
 *
 * 1. Nothing is opened before `start`; whatever fails is silence, never an error: the bus is lossy.
 * 2. One connection between two processes; each says which topics it wants and is sent no others.
 * 3. A process that reads too slowly misses messages; the publisher neither waits nor grows.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';

import type { Bus } from '../bus.ts';
import { createListeners, type Listeners } from '../listeners.ts';

export interface LocalBus extends Bus {
  /** Begins to listen. Resolves when those who were there have answered, or after a moment. */
  start(): Promise<void>;
  /** Starts in a moment: a process that is over by then never opens a socket. */
  startSoon(): void;
  /** How many other processes are connected. */
  peers(): number;
}

interface Peer {
  readonly socket: net.Socket;
  readonly topics: Set<string>;
  /** Name of the one that connected. */
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

export interface BusPlace {
  readonly folder: string;
  /** Of this process, for the others. */
  readonly name: string;
}

/** Its place is asked for when it starts. */
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
    // Whatever the process is in the middle of comes first.
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
      // Left behind by a process that was killed.
      if ('code' in error && error.code === 'ECONNREFUSED')
        void rm(path.join(folder, fileOf(other)), { force: true });
    });
    return greet(socket, name);
  }

  /** Resolves when the other side has said hello, hung up, or taken too long. */
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

  /** Two that connected to each other at once keep the connection of the one whose name comes first. */
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
      const known = topics.get(topic);
      const listeners = known ?? createListeners<string>();
      if (known === undefined) {
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
      // Nothing of the bus keeps the process alive; meeting the others, which it is in the middle of, must.
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

const extension = '.sock';

function fileOf(name: string): string {
  return `${name}${extension}`;
}

function socketPath(folder: string, name: string): string {
  if (process.platform !== 'win32') return path.join(folder, fileOf(name));
  return `\\\\.\\pipe\\${path.basename(folder)}-${name}`;
}

/** A folder in a place open to everybody must belong to this user and nobody else may enter it. */
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
