// Two releases on one PostgreSQL, as during an upgrade and after going back. The newer one is this one with a preload.
import path from 'node:path';

import { expect, test } from 'vitest';

import { readerVersion } from '../../src/journal/reader-version.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';
import { serveRondo } from '../proof/served-rondo.ts';

const root = path.resolve(import.meta.dirname, '../..');
const newer = {
  binary: path.join(root, 'bin/rondo.cjs'),
  env: { NODE_OPTIONS: `--import ${path.join(root, 'test/proof/newer-rondo-preload.ts')}` },
};

interface Shown {
  readonly node?: string;
  readonly phase: string;
}

test.skipIf(!hasServer())(
  `[C153] [O8] two releases share a store: each session runs where it can be read, and going back works ${hasServer() ? '' : noServer}`,
  { timeout: 120_000 },
  async () => {
    const store = await freshSchema();
    const serve = (name: string, more: Partial<Parameters<typeof serveRondo>[0]> = {}) =>
      serveRondo({ options: ['--store', store, '--node', name], ...more });
    await using older = await serve('older');
    await using next = await serve('newer', newer);
    const created = async (at: typeof older) =>
      (await at.post<{ readonly id: string }>('/sessions', { agent: 'testing' })).id;
    const chat = (at: typeof older, id: string, text: string) =>
      at.post(`/sessions/${id}/inputs`, { type: 'chat', text });
    const ended = async (at: typeof older, id: string, turns: number) => {
      const turnsOf = async () => (await at.get<{ usage: { turns: number } }>(`/sessions/${id}`)).usage.turns;
      await expect.poll(turnsOf, { timeout: 20_000 }).toBe(turns);
    };

    // Features of the newer release wait until `reader` has risen.
    const readers = async (at: typeof older) => {
      const { reader, nodes } = await at.get<{ reader: number; nodes: { name: string; reader: number }[] }>(
        '/nodes',
      );
      return { reader, nodes: nodes.map((node) => [node.name, node.reader]) };
    };
    const both = [
      ['newer', readerVersion + 1],
      ['older', readerVersion],
    ];
    expect([await readers(next), await readers(older)]).toEqual([
      { reader: readerVersion, nodes: both },
      { reader: readerVersion, nodes: both },
    ]);

    // Either release works with sessions of the other.
    const plain = await created(next);
    await chat(older, plain, 'say from the older');
    await ended(next, plain, 1);
    const changed = await created(next);
    await chat(next, changed, 'say one');
    await ended(next, changed, 1);
    await next.post(`/sessions/${changed}/inputs`, { type: 'title', title: 'Only newer releases read this' });

    // Back to the older release.
    await next.kill();
    await chat(older, plain, 'say after going back');
    await ended(older, plain, 2);
    expect((await older.get<Shown>(`/sessions/${plain}`)).node).toBe('older');
    await expect(chat(older, changed, 'say two')).rejects.toThrow(
      `Session ${changed} needs an upgrade: a newer Rondo wrote events of reader version ${readerVersion + 1}, and this one reads up to ${readerVersion}. ` +
        'Nothing is damaged: upgrade Rondo on this node, or open the session on another.',
    );

    // And forward again.
    await next.restart();
    await chat(next, changed, 'say two');
    await ended(next, changed, 2);
    expect(await older.terminate()).toBe(0);
    expect(await readers(next)).toEqual({ reader: readerVersion + 1, nodes: [['newer', readerVersion + 1]] });
  },
);
