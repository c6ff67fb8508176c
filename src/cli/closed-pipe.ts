/**
 * Lets a command continue if the reader of its output is gone (`rondo run … | head`). Losing a reader never cancels
 * work, and the exit code still reports the result. Any other write error is reported once on standard error, and a
 * command that lost part of its output doesn't end with 0.
 */
export function tolerateClosedPipe(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.once('error', (error: NodeJS.ErrnoException) => {
      stream.on('error', () => undefined);
      if (error.code === 'EPIPE' || stream === process.stderr) return;
      console.error(`rondo: writing the output failed: ${error.message}`);
      process.once('exit', (code) => {
        if (code === 0) process.exitCode = 1;
      });
    });
  }
}
