import type { Duplex } from 'node:stream';

import { atTurnsEnd } from '../session/follow/at-turns-end.ts';

/** Writes frames to one socket and batches those of one turn of the event loop. */
export interface SocketWriter {
  write(frame: Buffer): void;
  readonly buffered: number;
}

export function createSocketWriter(socket: Duplex): SocketWriter {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let bytes = 0;
  const release = () => {
    const piece = more === undefined ? first : joined(more);
    first = undefined;
    more = undefined;
    bytes = 0;
    if (!socket.destroyed && socket.writable) socket.write(piece);
  };
  return {
    write(frame) {
      bytes += frame.length;
      if (first !== undefined) {
        more ??= [first];
        more.push(frame);
        return;
      }
      first = frame;
      atTurnsEnd(release);
    },
    get buffered() {
      return socket.writableLength + bytes;
    },
  };
}

let newest: { readonly frames: readonly Buffer[]; readonly piece: Buffer } | undefined;

/** Followers of one session write the same frames, so all but the first reuse the joined buffer. */
function joined(frames: readonly Buffer[]): Buffer {
  const before = newest?.frames;
  if (before?.length === frames.length && frames.every((frame, index) => frame === before[index])) {
    return newest?.piece ?? Buffer.concat(frames);
  }
  const piece = Buffer.concat(frames);
  newest = { frames, piece };
  return piece;
}
