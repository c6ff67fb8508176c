// Two servers on one PostgreSQL, and a third machine: another home and another folder, only the store is shared.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';

import { createRondo } from '../../src/rondo.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';
import { openEditor, say } from './acp-editor.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

test.skipIf(!hasServer())(
  `[C151] [C153] commands on any machine work on the sessions of servers that share a PostgreSQL ${hasServer() ? '' : noServer}`,
  { timeout: 120_000 },
  async () => {
    const store = ['--store', await freshSchema()];
    await using one = await createCliPlace();
    await using two = await createCliPlace();
    await using laptop = await createCliPlace();
    const serve = async (place: CliPlace, name: string) => {
      const server = place.start(['serve', '--port', '0', '--node', name, ...store]);
      await server.saw('#token=');
      return server;
    };
    const a = await serve(one, 'a');
    const b = await serve(two, 'b');
    const on = (place: CliPlace, ...words: readonly string[]) => place.rondo(...words, ...store);
    const listed = async () => {
      const { nodes } = (await laptop.json('nodes', ...store)) as { nodes: readonly { name: string }[] };
      return nodes.map(({ name }) => name);
    };
    expect(await listed()).toEqual(['a', 'b']);

    const run = await on(laptop, 'run', '--agent', 'testing', 'call shell {"command":"touch done"}\nsay green');
    expect({ code: run.code, asks: run.err.includes('Allow shell: touch done') }).toEqual({ code: 3, asks: true });
    const session = /ses_[a-z0-9]+/.exec(run.err)?.[0] ?? '';
    const question = /q_[a-z0-9]{8,}/.exec(run.err)?.[0] ?? '';
    expect((await on(two, 'inbox')).out).toContain('touch done');

    // A client of one server follows the session, wherever it is answered and continued.
    const { url } = (await one.json('token', 'link')) as { url: string };
    const token = (await readFile(path.join(one.home, '.rondo/token'), 'utf8')).trim();
    const seen = laptop.start(['chat', '--follow', session, '--url', new URL(url).origin, '--json'], {
      env: { RONDO_TOKEN: token },
      keepsInput: true,
    });
    await seen.saw('"type":"snapshot"');
    expect(await on(two, 'answer', question, 'allow-once')).toMatchObject({ code: 0 });
    await seen.saw('"type":"turn-ended"');
    seen.child.kill('SIGKILL');
    expect(existsSync(path.join(laptop.project, 'done'))).toBe(true);
    expect((await on(one, 'show', session)).out).toContain('green');
    expect((await on(two, 'replay', session)).code).toBe(0);

    // Chat, an editor and a program go on with the same session, each as its own process on the store.
    const chat = laptop.start(['chat', '--line', '--session', session, ...store], { stdin: 'say blue\n' });
    expect(await chat.ended).toMatchObject({ code: 0, out: expect.stringContaining('blue') as string });
    {
      await using editor = await openEditor(two, { words: store });
      const opened = { sessionId: session, cwd: two.project, mcpServers: [] };
      await editor.agent.request(methods.agent.session.load, opened);
      expect(await say(editor, session, 'say yellow')).toEqual({ stopReason: 'end_turn' });
      expect(editor.said()).toContain('yellow');
    }
    {
      await using rondo = await createRondo({ store: store[1] ?? '', agents: { testing: { model: 'testing' } } });
      expect(await (await rondo.sessions.get(session))?.chat('say purple')).toMatchObject({ text: 'purple' });
    }
    expect((await on(one, 'show', session)).out).toMatch(/green[^]*blue[^]*yellow[^]*purple/);

    // Share links are in the store, so every node serves them.
    expect(await one.rondo('share', 'create', session)).toMatchObject({ code: 0 });
    expect((await on(two, 'share', 'list')).out).toContain(session);

    const { out: found } = await on(laptop, 'doctor');
    expect(found).toMatch(/^.*store .*PostgreSQL \d+/m);
    expect(await on(two, 'prune', '--state', 'idle', '--delete')).toMatchObject({ code: 0 });
    expect((await on(one, 'show', session)).code).not.toBe(0);

    expect(await on(laptop, 'nodes', 'drain', 'a')).toMatchObject({ code: 0 });
    expect((await a.ended).code).toBe(0);
    expect(await listed()).toEqual(['b']);
    b.child.kill('SIGTERM');
    expect((await b.ended).code).toBe(0);
  },
);
