/**
 * Lets a command go on when whoever read its output has left (`rondo run … | head`): losing a reader never
 * cancels work, and the exit code still tells how it went. What cannot be written for another reason is
 * told on standard error, once.
 */
export function tolerateClosedPipe(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.once('error', (error: NodeJS.ErrnoException) => {
      stream.on('error', () => undefined);
      if (error.code !== 'EPIPE' && stream !== process.stderr)
        console.error(`rondo: writing the output failed: ${error.message}`);
    });
  }
}
