import { describe, expect, test } from 'vitest';

import { createRpcPeer, type RpcAnswer } from './json-rpc.ts';

function peers(
  serve: (method: string, signal: AbortSignal) => Promise<RpcAnswer> = async () => ({ result: null }),
) {
  const sent: unknown[] = [];
  const messages: string[] = [];
  const peer = createRpcPeer(
    (line) => sent.push(JSON.parse(line)),
    {
      request: (method, _params, signal) => serve(method, signal),
      notification: (method) => messages.push(method),
      stray: (text) => messages.push(`stray ${text}`),
      heard: () => undefined,
    },
    { lineBytes: 200, requestsServed: 2 },
  );
  const receive = (...messages: readonly unknown[]) =>
    peer.receive(Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join('')));
  return { peer, sent, messages, receive };
}

describe('a line of JSON-RPC', () => {
  test('settles a request once, with its result; a second answer is passed over', async () => {
    const { peer, sent, receive } = peers();
    const answer = peer.request('do', { a: 1 });
    receive({ jsonrpc: '2.0', id: 1, result: 'first' }, { jsonrpc: '2.0', id: 1, result: 'second' });

    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, method: 'do', params: { a: 1 } }]);
    expect(await answer).toEqual({ type: 'result', result: 'first' });
  });

  test('is cut out of pieces, whatever their borders', () => {
    const { peer, messages } = peers();
    for (const byte of Buffer.from('{"method":"ünder"}\r\n')) peer.receive(Buffer.from([byte]));

    expect(messages).toEqual(['ünder']);
  });

  test('an invalid message is reported as a stray', () => {
    const { peer, messages } = peers();
    peer.receive(Buffer.from('hello\n[1]\n{"id":"x","result":1}\n\n'));

    expect(messages).toEqual(['stray hello', 'stray [1]', 'stray {"id":"x","result":1}']);
  });

  test('that is too long is left out, and fails the request it was the answer to', async () => {
    const { peer, messages, receive } = peers();
    const answer = peer.request('do', {});
    receive({ id: 1, result: 'x'.repeat(300) }, { method: 'next' });

    expect(await answer).toMatchObject({ type: 'error', code: -32603 });
    expect(messages).toEqual([
      'stray [a line of 320 bytes, more than the 200 that are read, was left out]',
      'next',
    ]);
  });

  test("answers the other side's requests when done, refuses too many, and drops cancelled ones", async () => {
    const { sent, receive } = peers(
      (method, signal) =>
        new Promise((resolve) => {
          if (method === 'quick') resolve({ result: 'done' });
          signal.addEventListener('abort', () => resolve({ result: 'given up' }), { once: true });
        }),
    );
    receive({ id: 1, method: 'slow' }, { id: 2, method: 'slow' }, { id: 3, method: 'quick' });
    receive({ method: '$/cancel_request', params: { requestId: 1 } });
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    receive({ id: 4, method: 'quick' });
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });

    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'Too many requests at once.' } },
      { jsonrpc: '2.0', id: 1, result: 'given up' },
      { jsonrpc: '2.0', id: 4, result: 'done' },
    ]);
  });

  test('ends every request with the connection, or when its time is over', async () => {
    const { peer } = peers();
    const timed = peer.request('slow', {}, { timeoutMs: 1 });
    expect(await timed).toEqual({ type: 'timed-out' });
    const open = peer.request('slow', {});
    peer.close();

    expect(await open).toEqual({ type: 'closed' });
    expect(await peer.request('late', {})).toEqual({ type: 'closed' });
  });
});
