/** A session as server-sent events. `id` is the sequence number; streamed text has none. */
import type { ServerResponse } from 'node:http';

import { optional } from '../kernel/optional.ts';
import { flatEventText } from '../protocol/update-text.ts';
import type { FollowSink } from '../session/follow/follow-into.ts';
import type { Session } from '../session/handle/session.ts';
import type { Update } from '../session/update.ts';
import type { ClientError } from '../protocol/error-code.ts';
import type { ServerClock, ServerLogger } from './backend.ts';
import type { FollowerCounts } from './metrics.ts';
import { errorOfFault } from './outcome.ts';
import type { RouteCall } from './route.ts';

interface SseParts {
  readonly clock: ServerClock;
  readonly counts: FollowerCounts;
  readonly after?: number;
  readonly heartbeatMs: number;
  readonly logger: ServerLogger;
  readonly call: Pick<RouteCall, 'by' | 'refusedSince'>;
}

/** Bytes buffered in a socket before its reader counts as slow. */
const mostBuffered = 1024 * 1024;

export function streamEvents(
  session: Session,
  outgoing: ServerResponse,
  { clock, counts, after, heartbeatMs, logger, call }: SseParts,
): void {
  const { actor: person, role } = call.by;
  const controller = new AbortController();
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  outgoing.flushHeaders();
  counts.followers += 1;
  let disarm = clock.at(clock.now() + heartbeatMs, beat);
  function beat(): void {
    outgoing.write(': still here\n\n');
    disarm = clock.at(clock.now() + heartbeatMs, beat);
    // While the store can't be reached nobody can be asked: the next heartbeat looks again.
    call.refusedSince().then(
      (error) => {
        if (error === undefined) return;
        outgoing.write(problemEvent(error));
        controller.abort();
      },
      (error: unknown) => logger.log('warn', "can't check the token of a stream", { error: String(error) }),
    );
  }
  outgoing.on('close', () => {
    counts.followers -= 1;
    disarm();
    controller.abort();
  });
  const sink: FollowSink = {
    tell(update) {
      if (update.type === 'gap') counts.gaps += 1;
      outgoing.write(sseText(update));
    },
    get isBehind() {
      return outgoing.writableLength > mostBuffered;
    },
    ready: () => untilDrained(outgoing, mostBuffered),
    hears: 'by-turns',
  };
  session
    .followInto(sink, {
      signal: controller.signal,
      for: { person, role },
      ...optional({ after }),
    })
    .catch((error: unknown) => {
      outgoing.write(problemEvent(errorOfFault(error)));
    })
    .finally(() => outgoing.end());
}

function problemEvent(error: ClientError): string {
  return `event: error\ndata: ${JSON.stringify(error)}\n\n`;
}

/** Resolves once the buffer is small enough or the socket is closed. */
export async function untilDrained(
  stream: {
    readonly writableLength: number;
    readonly destroyed: boolean;
    once(event: 'drain' | 'close', call: () => void): unknown;
  },
  most: number,
): Promise<void> {
  while (!stream.destroyed && stream.writableLength > most) {
    await new Promise<void>((resolve) => {
      stream.once('drain', resolve);
      stream.once('close', resolve);
    });
  }
}

let newest: { readonly update: Update; readonly text: string } | undefined;

/** A session notifies its followers one after the other, so all but the first reuse the text. */
function sseText(update: Update): string {
  if (newest?.update === update) return newest.text;
  const text = textFor(update);
  newest = { update, text };
  return text;
}

function textFor(update: Update): string {
  switch (update.type) {
    case 'event':
      return `id: ${update.recorded.seq}\ndata: ${flatEventText(update.recorded, update.json)}\n\n`;
    case 'snapshot':
      return `id: ${update.seq}\nevent: snapshot\ndata: ${JSON.stringify(update)}\n\n`;
    case 'progress':
    case 'gap':
      return `event: ${update.type}\ndata: ${JSON.stringify(update)}\n\n`;
  }
}
