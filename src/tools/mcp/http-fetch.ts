/**
 * Requests to an MCP server over HTTP. One message of an answer is read up to a limit. What sends more is disconnected:
 * otherwise its stream would be opened again.
 */
type ServerFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const mostBytes = 32_000_000;

export function createServerFetch(onExcess: (problem: string) => void): ServerFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const limited = response.body.pipeThrough(messageLimit(isStream, onExcess));
    const { status, statusText, headers } = response;
    return new Response(limited, { status, statusText, headers });
  };
}

/** A stream of events is counted from the end of the last event. */
function messageLimit(
  isStream: boolean,
  onExcess: (problem: string) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? eventEnd(chunk) : -1;
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
      if (bytes <= mostBytes) return controller.enqueue(chunk);
      const problem = `it sent more than ${mostBytes / 1_000_000} MB in one message`;
      controller.error(new Error(problem));
      onExcess(problem);
    },
  });
}

/** Where the last event of a chunk ends, at an empty line. */
function eventEnd(chunk: Uint8Array): number {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'));
}
