/** The body of a request, read from its socket as it comes: no stream or request object is made around it. */
import type { IncomingMessage } from 'node:http';

/** `gone`: the client left before all of it had come. */
export function readBody(incoming: IncomingMessage, most: number): Promise<Buffer | 'too-large' | 'gone'> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) return void chunks.push(chunk);
      // What else comes is read to no purpose, so that the answer finds its way.
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

/** Undefined where it is not UTF-8. */
export function textOfBody(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
