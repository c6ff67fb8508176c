import {
  type JSONRPCMessage,
  ReadBuffer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';

import { type ChildCommand, type ProcessTree, spawnTree } from '../../processes/child-process.ts';

interface StdioTransport extends Transport {
  /** The end of the server's standard error, for people. */
  lastWords(): string;
}

const KEPT_OF_STDERR = 4_000;
// Closing its input asks a server to exit. After this time it is killed.
const LEAVE_MS = 300;

/**
 * Connects to a server that is a child process, and ends its whole tree with the connection. Reports lines on its
 * standard output that aren't messages as errors and skips them. `onExcess`: a line is too long to be read.
 */
export function createStdioTransport(command: ChildCommand, onExcess?: (problem: string) => void): StdioTransport {
  const buffer = new ReadBuffer();
  let tree: ProcessTree | undefined;
  let closing: Promise<void> | undefined;
  let stderr = '';

  const receive = (chunk: Buffer): void => {
    try {
      buffer.append(chunk);
    } catch (error) {
      report(error);
      onExcess?.(`it sent more than ${STDIO_DEFAULT_MAX_BUFFER_SIZE / 1024 ** 2} MB in one message`);
      void transport.close();
      return;
    }
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        transport.onmessage?.(message);
      } catch (error) {
        report(error);
      }
    }
  };
  const report = (error: unknown): void => {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  };

  const transport: StdioTransport = {
    start: async () => {
      const started = await spawnTree(command);
      tree = started;
      const { child } = started;
      child.stdout?.on('data', receive);
      child.stderr?.on(
        'data',
        (chunk: Buffer) => (stderr = (stderr + chunk.toString('utf8')).slice(-KEPT_OF_STDERR)),
      );
      child.stdin?.on('error', report);
      void started.ended.then(() => transport.close());
      const begun = await Promise.race([
        started.ended,
        new Promise<'spawned'>((resolve) => child.once('spawn', () => resolve('spawned'))),
      ]);
      if (begun !== 'spawned' && begun.type === 'not-started') throw new Error(begun.message);
    },
    send: (message: JSONRPCMessage) => {
      const stdin = tree?.child.stdin;
      if (stdin === null || stdin === undefined || !stdin.writable)
        return Promise.reject(new Error('The server has exited.'));
      return new Promise((resolve, reject) => {
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      });
    },
    close: () => {
      closing ??= (async () => {
        if (tree !== undefined) {
          tree.child.stdin?.end();
          await Promise.race([tree.ended, new Promise((resolve) => setTimeout(resolve, LEAVE_MS))]);
          await tree.kill({ graceMs: 1_000 });
          tree.child.stdout?.destroy();
          tree.child.stderr?.destroy();
        }
        buffer.clear();
        transport.onclose?.();
      })();
      return closing;
    },
    lastWords: () => stderr.trim(),
  };
  return transport;
}
