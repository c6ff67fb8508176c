import type { Duplex } from 'node:stream';

/** Writes frames to one socket; those of one turn of the event loop go out together. */
export interface SocketWriter {
  write(frame: Buffer): void;
  readonly buffered: number;
}

let waiting: (() => void)[] = [];

export function createSocketWriter(socket: Duplex): SocketWriter {
  let isCorked = false;
  const release = () => {
    isCorked = false;
    socket.uncork();
  };
  return {
    write(frame) {
      if (socket.destroyed || !socket.writable) return;
      if (!isCorked) {
        isCorked = true;
        socket.cork();
        waiting.push(release);
        if (waiting.length === 1) process.nextTick(flush);
      }
      socket.write(frame);
    },
    get buffered() {
      return socket.writableLength;
    },
  };
}

function flush(): void {
  const releases = waiting;
  waiting = [];
  for (const release of releases) release();
}
