// Several servers on one store, without a bus between them: any node answers any request.
import { readerVersion } from '../../src/journal/reader-version.ts';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { createClient, type SessionUpdate } from '../../src/client/client.ts';
import { createNodeKey } from '../../src/server/nodes/assertion.ts';
import { defineTool } from '../../src/tools/program-tool.ts';
import { certificate } from '../fixtures/certificate.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { hasServer } from '../fixtures/postgres/shared-server.ts';
import { createNodeScene, dictatedModel, lookForWork, type SceneNode } from './node-scene.ts';
import { kept, openSocket, ownerToken, until } from './server-setup.ts';

/** What a client saw: event sequences, streamed text by attempt, and repeats or gaps. */
function watch(node: Pick<SceneNode, 'server'>, session: string) {
  const client = kept(createClient({ url: node.server.url, token: ownerToken, firstRetryMs: 20 }));
  const seqs: number[] = [];
  const types: string[] = [];
  const texts = new Map<string, string>();
  client.follow(
    session,
    {
      update(update: SessionUpdate) {
        if (update.type === 'event') {
          seqs.push(update.seq);
          types.push(update.event.type);
        } else if (update.type === 'progress') {
          const key = `${update.effect}#${update.attempt}`;
          const had = texts.get(key) ?? '';
          const isNext = update.offset === had.length;
          texts.set(key, isNext ? had + update.text : `${had}, then at ${update.offset}: ${update.text}`);
        }
      },
    },
    { after: 0 },
  );
  const text = () => [...texts.values()].join('|');
  const isWhole = () => seqs.every((seq, index) => seq === index + 1);
  return { client, seqs, types, text, isWhole };
}

const engines = [
  { engine: 'memory', isMissing: false, why: '' },
  { engine: 'PostgreSQL', isMissing: !hasServer(), why: hasServer() ? '' : noServer },
] as const;

describe.each(engines)('nodes on $engine $why', ({ engine, isMissing }) => {
  beforeEach(({ skip }) => skip(isMissing));

  test('[C153] a session is followed through another node, with its streamed text as it is written', async () => {
    const scene = kept(await createNodeScene(engine));
    const { model, say, end } = dictatedModel();
    const a = kept(await scene.start('a', { model }));
    const b = kept(await scene.start('b'));
    const { body } = await a.call('POST', '/v1/sessions', {});
    const session = String(body['id']);
    await a.call('POST', `/v1/sessions/${session}/inputs`, { type: 'chat', text: 'hello' });
    await say('One, ');
    const early = watch(b, session);
    await until(() => early.text() === 'One, ');
    await say('two, ');
    await until(() => early.text() === 'One, two, ');
    const late = watch(b, session);
    await until(() => late.text() === 'One, two, ');
    await say('three.');
    await until(() => early.text() === 'One, two, three.' && late.text() === 'One, two, three.');
    end();
    await until(() => early.types.includes('turn-ended') && late.types.includes('turn-ended'));
    expect([early.isWhole(), late.isWhole(), early.seqs]).toEqual([true, true, late.seqs]);
  });

  test('[C153] every node shows the nodes and the node of a session', async () => {
    const scene = kept(await createNodeScene(engine));
    const a = kept(await scene.start('a', { labels: ['eu', 'gpu'] }));
    const b = kept(await scene.start('b'));
    const { body } = await a.call('POST', '/v1/sessions', {});
    expect((await b.call('GET', `/v1/sessions/${String(body['id'])}`)).body).toMatchObject({ node: 'a' });
    const listed = (await b.call('GET', '/v1/nodes')).body as { nodes: { silentMs: number }[] };
    const { host, pid } = a.store.leases.self;
    const shown = (node: SceneNode, labels: readonly string[], sessions: number) => ({
      name: node.node.name,
      address: node.address,
      labels,
      capacity: 10,
      version: '0.0.0-test',
      reader: readerVersion,
      startedAt: expect.any(Number) as number,
      isDraining: false,
      owner: node.store.leases.self.id,
      host,
      pid,
      isAlive: true,
      silentMs: expect.any(Number) as number,
      sessions,
    });
    expect(listed).toEqual({
      self: 'b',
      reader: readerVersion,
      nodes: [shown(a, ['eu', 'gpu'], 1), shown(b, [], 0)],
    });
  });

  test('[C153] an input for a session of another node is taken by its owner', async () => {
    const scene = kept(await createNodeScene(engine));
    const a = kept(await scene.start('a'));
    const b = kept(await scene.start('b'));
    const { body } = await a.call('POST', '/v1/sessions', {});
    const session = String(body['id']);
    const seen = watch(b, session);
    const sent = await b.call('POST', `/v1/sessions/${session}/inputs`, { type: 'chat', text: 'say through b' });
    expect(sent.status).toBe(202);
    await until(() => seen.types.includes('turn-ended'));
    expect([seen.isWhole(), await a.store.leases.ownerOf(session as never)]).toEqual([true, a.store.leases.self]);
  });

  test('[C153] an agent that needs a label runs on a node that offers it, whichever node is asked', async () => {
    const scene = kept(await createNodeScene(engine));
    const agents = { testing: { model: 'testing' }, builder: { model: 'testing', needs: ['docker', 'linux'] } };
    const a = kept(await scene.start('a', { agents, labels: ['linux'] }));
    const problem =
      "Agent builder needs the label docker, which this machine doesn't offer. No running node does. " +
      'If this machine can serve it, add the label to "server": { "labels": […] } in rondo.json.';
    expect(await a.call('POST', '/v1/sessions', { agent: 'builder' })).toMatchObject({
      status: 409,
      body: { detail: `Can't create a session: ${problem}` },
    });
    const plain = String((await a.call('POST', '/v1/sessions', {})).body['id']);
    const changed = { type: 'agent', agent: 'builder' };
    expect(await a.call('POST', `/v1/sessions/${plain}/inputs`, changed)).toMatchObject({
      status: 409,
      body: { detail: problem },
    });

    const b = kept(await scene.start('b', { agents, labels: ['docker', 'linux'] }));
    const ownerOf = (session: string) => b.store.leases.ownerOf(session as never);
    kept(lookForWork([a, b]));
    const session = String((await a.call('POST', '/v1/sessions', { agent: 'builder' })).body['id']);
    expect(await ownerOf(session)).toBeUndefined();
    const seen = watch(a, session);
    const sent = await a.call('POST', `/v1/sessions/${session}/inputs`, { type: 'chat', text: 'say built' });
    expect(sent.status).toBe(202);
    await until(() => seen.types.includes('turn-ended'));
    expect([seen.isWhole(), await ownerOf(session)]).toEqual([true, b.store.leases.self]);
    // Looking at it on the other node takes nothing.
    expect((await a.call('GET', `/v1/sessions/${session}`)).body).toMatchObject({ node: 'b' });

    // A session moves with its new agent.
    expect((await a.call('POST', `/v1/sessions/${plain}/inputs`, changed)).status).toBe(202);
    expect(
      (await a.call('POST', `/v1/sessions/${plain}/inputs`, { type: 'chat', text: 'say moved' })).status,
    ).toBe(202);
    await expect.poll(() => ownerOf(plain), { timeout: 10_000 }).toEqual(b.store.leases.self);
  });

  test("[C153] a session runs on a node that offers what the program's own tools need", async () => {
    const scene = kept(await createNodeScene(engine));
    const build = defineTool({
      name: 'build',
      description: 'Builds.',
      schema: z.object({}),
      needs: ['docker'],
      facts: { access: 'read' },
      run: () => 'an image',
    });
    const agents = {
      testing: { model: 'testing' },
      reader: { model: 'testing', tools: 'none' },
      builder: { model: 'testing', tools: { only: ['build'] }, needs: ['linux'] },
    } as const;
    const a = kept(await scene.start('a', { agents, tools: [build], labels: ['linux'] }));
    const create = async (agent: string) => (await a.call('POST', '/v1/sessions', { agent })).status;
    expect([await create('testing'), await create('reader'), await create('builder')]).toEqual([409, 201, 409]);

    const b = kept(await scene.start('b', { agents, tools: [build], labels: ['docker', 'linux'] }));
    kept(lookForWork([a, b]));
    const session = String((await a.call('POST', '/v1/sessions', { agent: 'builder' })).body['id']);
    const seen = watch(a, session);
    const text = 'call build {}\nsay built';
    expect((await a.call('POST', `/v1/sessions/${session}/inputs`, { type: 'chat', text })).status).toBe(202);
    await until(() => seen.types.includes('turn-ended'));
    expect(await b.store.leases.ownerOf(session as never)).toEqual(b.store.leases.self);
    expect((await a.call('GET', `/v1/sessions/${session}`)).body).toMatchObject({ node: 'b', agent: 'builder' });
  });

  test('[C153][O4] a follower continues with the next owner, without a gap or a repeat', async () => {
    const scene = kept(await createNodeScene(engine));
    const first = dictatedModel();
    const second = dictatedModel();
    const a = await scene.start('a', { model: first.model });
    const b = kept(await scene.start('b'));
    const c = kept(await scene.start('c', { model: second.model }));
    const { body } = await a.call('POST', '/v1/sessions', {});
    const session = String(body['id']);
    await a.call('POST', `/v1/sessions/${session}/inputs`, { type: 'chat', text: 'hello' });
    const seen = watch(b, session);
    await first.say('Lost ');
    await until(() => seen.text() === 'Lost ');
    // The node is killed: nothing of it answers any more.
    await scene.crash(a.store);
    await a.server.close();
    expect(await c.rondo.adopt()).toEqual([session]);
    await second.say('Found.');
    await until(() => seen.text() === 'Lost |Found.');
    second.end();
    await until(() => seen.types.includes('turn-ended'));
    expect(seen.isWhole()).toBe(true);
    expect(seen.types.filter((type) => type === 'session-recovered')).toHaveLength(1);
  });

  /** The store fails for node b while it `isAway`. */
  async function nodesWithFailingStore() {
    const scene = kept(await createNodeScene(engine));
    const store = { isAway: false, refused: 0 };
    const a = kept(await scene.start('a'));
    const b = kept(await scene.start('b', { away: () => store.isAway && ++store.refused > 0 }));
    const session = String((await a.call('POST', '/v1/sessions', {})).body['id']);
    return { a, b, session, store };
  }

  /** A client that is connected when the store starts to fail. */
  async function clientAtFailure(where: 'another node' | 'the same node') {
    const nodes = await nodesWithFailingStore();
    const { a, b } = nodes;
    const url = where === 'another node' ? [b.server.url, a.server.url] : b.server.url;
    const client = kept(createClient({ url, token: ownerToken, firstRetryMs: 20, mostRetryMs: 100 }));
    await until(() => client.connection.type === 'open');
    nodes.store.isAway = true;
    return { ...nodes, client };
  }

  test('[C153] a follower stays connected while its node can not read the store, and goes on afterwards', async () => {
    const { a, b, session, store } = await nodesWithFailingStore();
    const say = (text: string) => a.call('POST', `/v1/sessions/${session}/inputs`, { type: 'chat', text });
    await say('say one');
    const seen = watch(b, session);
    const turns = () => seen.types.filter((type) => type === 'turn-ended').length;
    await until(() => turns() === 1);
    store.isAway = true;
    await say('say two');
    await until(() => store.refused > 0);
    store.isAway = false;
    await until(() => turns() === 2);
    expect(seen.isWhole()).toBe(true);
    expect(seen.client.connection.type).toBe('open');
  });

  test.each(['another node', 'the same node'] as const)(
    '[C153] what a client asked to follow while its node can not read the store arrives afterwards, from %s',
    async (where) => {
      const { session, store, client } = await clientAtFailure(where);
      const seen: string[] = [];
      const problems: unknown[] = [];
      const update = (one: SessionUpdate) => void (one.type === 'event' && seen.push(one.event.type));
      client.follow(session, { update, problem: (problem) => problems.push(problem) }, { after: 0 });
      client.followDirectory((message) => {
        if (message.kind === 'page') seen.push(...message.entries.map((entry) => `listed ${entry.session}`));
      });
      client.followQuestions((questions) => seen.push(`${questions.length} questions`));
      await until(() => store.refused > 0);
      if (where === 'the same node') store.isAway = false;
      const all = ['session-created', `listed ${session}`, '0 questions'];
      await until(() => all.every((one) => seen.includes(one)));
      expect(problems).toEqual([]);
    },
  );

  test.each(['another node', 'the same node'] as const)(
    '[C153] what a client sends while its node can not reach the store is taken once, by %s',
    async (where) => {
      const { a, b, session, store, client } = await clientAtFailure(where);
      expect((await fetch(`${b.address}/readyz`)).status).toBe(503);
      expect((await fetch(`${a.address}/readyz`)).status).toBe(200);
      const asked = await b.call('POST', `/v1/sessions/${session}/inputs`, { type: 'chat', text: 'say zero' });
      expect(asked).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      const sent = client.send(session, { type: 'chat', text: 'say one' });
      if (where === 'the same node') {
        const before = store.refused;
        await until(() => store.refused > before);
        store.isAway = false;
      }
      await sent;
      const { body } = await a.call('GET', `/v1/sessions/${session}/events?after=0`);
      const prompts = (body['events'] as readonly { readonly type: string }[]).filter(
        ({ type }) => type === 'prompt-received',
      );
      expect(prompts).toMatchObject([{ request: { text: 'say one' } }]);
      store.isAway = false;
      expect(await (await fetch(`${b.address}/readyz`)).json()).toEqual({ status: 'ready' });
    },
  );

  test('[C153] a node that does not own the session sends nobody further: 421', async () => {
    const scene = kept(await createNodeScene(engine));
    const a = kept(await scene.start('a'));
    const b = kept(await scene.start('b'));
    const { body } = await a.call('POST', '/v1/sessions', {});
    const session = String(body['id']);
    const key = createNodeKey();
    const seat = kept(await scene.another());
    await seat.nodes.register({
      name: 'asking',
      labels: [],
      capacity: 1,
      version: '0',
      reader: 1,
      publicKey: key.publicKey,
      startedAt: 0,
      isDraining: false,
    });
    const from = seat.leases.self.id;
    const person = { type: 'person', name: 'Ada' } as const;
    const token = key.assert({ from, to: b.store.leases.self.id, session, person, role: 'viewer' }, Date.now());
    const socket = await openSocket(`${b.address.replace('http', 'ws')}/ws`);
    socket.send({ v: 1, type: 'hello', token });
    await socket.next('welcome');
    socket.send({ v: 1, type: 'session.follow', id: 'f', session });
    expect(await socket.next('error')).toMatchObject({
      code: 'MISDIRECTED',
      message: `Session ${session} isn't alive on this node. Look up its owner again.`,
    });
    // A node may follow that one session, and nothing else.
    socket.send({ v: 1, type: 'session.input', id: 'i', session, key: 'k', input: { type: 'chat', text: 'x' } });
    expect(await socket.next('error')).toMatchObject({
      code: 'FORBIDDEN',
      message: `A node can follow session ${session} here, and nothing else.`,
    });
    expect(await socket.closed).toEqual([1008, 'FORBIDDEN']);
    const again = await openSocket(`${b.address.replace('http', 'ws')}/ws`);
    again.send({ v: 1, type: 'hello', token });
    expect(await again.next('error')).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'Refused the statement of another node. It was used before.',
    });
    const overHttp = await fetch(`${b.address}/api/v1/sessions`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(overHttp.status).toBe(401);
  });

  test('[C153] a client with several addresses continues at another node, with the same token', async () => {
    const scene = kept(await createNodeScene(engine));
    const a = await scene.start('a');
    const b = kept(await scene.start('b'));
    const url = [`${a.address}/`, b.address];
    const client = kept(createClient({ url, token: ownerToken, firstRetryMs: 20 }));
    const { session } = await client.create({});
    const types: string[] = [];
    client.follow(
      session,
      { update: (update) => void (update.type === 'event' && types.push(update.event.type)) },
      { after: 0 },
    );
    await client.send(session, { type: 'chat', text: 'say one' });
    await until(() => types.includes('turn-ended'));
    a.server.drain({ handOver: true });
    await a.rondo.close({ handOver: true });
    await until(() => client.connection.type === 'open');
    await client.send(session, { type: 'chat', text: 'say two' });
    await until(() => types.filter((type) => type === 'turn-ended').length === 2);
    expect(await b.call('GET', `/v1/sessions/${session}`)).toMatchObject({ body: { node: 'b' } });
    expect(types.filter((type) => type === 'session-created')).toHaveLength(1);
    await a.server.close();
    // Calls over HTTP find the node that answers, too.
    expect(await client.rondo.sessions({})).toMatchObject([{ session }]);
  });

  test('[C153] a TLS certificate must be the one that the node registered', async () => {
    const [own, other] = [await certificate(), await certificate()];
    const scene = kept(await createNodeScene(engine));
    for (const [name, fingerprint, isFollowed] of [
      ['pinned', own.fingerprint, true],
      ['posing', other.fingerprint, false],
    ] as const) {
      const { model, say } = dictatedModel();
      const a = kept(await scene.start(name, { model, fingerprint, server: { tls: own } }));
      const b = kept(await scene.start(`${name}-follower`));
      const created = await a.rondo.sessions.create();
      await created.send({ type: 'chat', text: 'hello' });
      const seen = watch(b, created.id);
      await say('text');
      await until(() => seen.types.includes('model-call-intended'));
      if (isFollowed) await until(() => seen.text() === 'text');
      else await sleep(500);
      expect(seen.text()).toBe(isFollowed ? 'text' : '');
    }
  });
});
