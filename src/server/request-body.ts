/** Reads a request body directly from its socket, without a stream or request object. */
import type { IncomingMessage } from 'node:http';

/** `gone`: the client disconnected before the body was complete. */
export function readRequestBody(incoming: IncomingMessage, most: number): Promise<Buffer | 'too-large' | 'gone'> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) return void chunks.push(chunk);
      // Drain the rest, so that the client can read the answer.
      incoming.off('data', take);
      incoming.resume();
      resolve('too-large');
    };
    incoming.on('data', take);
    incoming.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)),
    );
    incoming.on('error', () => resolve('gone'));
    incoming.on('close', () => resolve('gone'));
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined if it isn't UTF-8. */
export function textOfBody(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
