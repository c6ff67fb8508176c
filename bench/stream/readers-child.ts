/**
 * Many minimal clients in one process: raw sockets that count marks in received data, over WebSocket or as
 * server-sent events. `node readers-child.ts PORT`, with one line of JSON per client group on standard input;
 * answers in lines.
 */
import net from 'node:net';
import { createInterface } from 'node:readline';

import { createMarkCounter, type Counting } from './mark-counter.ts';
import { mark, markLength } from './marked-token.ts';
import type { StreamClient } from './streaming-server.ts';

const port = Number(process.argv[2]);
const counter = createMarkCounter();

/** Resolves when the answer `until` has arrived. */
function connect(client: StreamClient, until: string): Promise<void> {
  const { says = [] } = client;
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.setNoDelay(true);
      socket.write(requestOf(client));
    });
    let greeting = '';
    let isReady = false;
    let rest: Buffer | undefined;
    const onGreeting = (chunk: Buffer) => {
      const isUpgraded = greeting.includes('\r\n\r\n');
      greeting += chunk.toString('latin1');
      if (!isUpgraded && greeting.includes('\r\n\r\n')) for (const text of says) socket.write(clientFrame(text));
      if (!greeting.includes(until)) return;
      isReady = true;
      greeting = '';
      resolve();
    };
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (!isReady) return onGreeting(chunk);
      const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
      rest = countMarks(data);
    });
  });
}

function requestOf({ path, says, headers = {} }: StreamClient): string {
  const kind: Readonly<Record<string, string>> =
    says === undefined
      ? { Accept: 'text/event-stream' }
      : {
          Upgrade: 'websocket',
          Connection: 'Upgrade',
          'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'Sec-WebSocket-Version': '13',
        };
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...kind, ...headers });
  return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** A mark may span two pieces, so a possible beginning is kept. */
function countMarks(data: Buffer): Buffer | undefined {
  let at = data.indexOf(mark);
  let end = 0;
  while (at !== -1 && at + markLength <= data.length) {
    const from = at + 1;
    counter.add(() => data.toString('latin1', from, from + markLength - 1));
    end = at + markLength;
    at = data.indexOf(mark, end);
  }
  return at === -1 ? undefined : data.subarray(at);
}

/** Clients must mask; a mask of zeros changes nothing. */
function clientFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  if (length > 65_535) throw new Error('That is a long greeting.');
  const head =
    length < 126 ? Buffer.from([0x81, 0x80 | length]) : Buffer.from([0x81, 0xfe, length >> 8, length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), Buffer.from(text)]);
}

const lines = createInterface({ input: process.stdin });
const answer = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
for await (const line of lines) {
  const asked = JSON.parse(line) as Asked;
  switch (asked.type) {
    case 'connect':
      for (let from = 0; from < asked.clients.length; from += 100) {
        await Promise.all(asked.clients.slice(from, from + 100).map((client) => connect(client, asked.until)));
      }
      answer({ connected: asked.clients.length });
      break;
    case 'reset':
      counter.reset(asked);
      answer({});
      break;
    case 'report':
      answer(await counter.report(asked.expected));
      break;
  }
}
process.exit(0);

type Asked =
  | { readonly type: 'connect'; readonly clients: readonly StreamClient[]; readonly until: string }
  | ({ readonly type: 'reset' } & Counting)
  /** Resolves once this many marks have arrived. */
  | { readonly type: 'report'; readonly expected: number };
