// A client that a public generator makes from the OpenAPI document: it compiles, and it drives a session.
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { build, stop } from 'esbuild';
import { generate } from 'openapi-typescript-codegen';
import { expect, test } from 'vitest';

import { ownerToken, startTestServer } from './server-setup.ts';

const root = path.resolve(import.meta.dirname, '../..');
// Inside the repository, so that the compiler finds the types of the standard library.
const folder = path.join(root, '.cache/generated-client');

/** A program of a user who has only the generated client. */
const program = `import { RondoApi } from './client';

export async function drive(base: string, token: string): Promise<readonly string[]> {
  const api = new RondoApi({ BASE: base, TOKEN: token });
  const { name, role } = await api.me.getCaller();
  const { id } = await api.sessions.createSession({ requestBody: { agent: 'testing', title: 'Generated' } });
  const sent = await api.sessions.sendInput({
    id,
    idempotencyKey: 'first',
    requestBody: { type: 'chat', text: 'call touch {}\\nsay done' },
  });
  const seq: number = sent.seq;
  const question = await until(async () => (await api.questions.listQuestions()).questions[0]);
  const tool: string | undefined = question.about.tool;
  await api.questions.answerQuestion({ id: question.id, requestBody: { choice: 'allow-once' } });
  const ended = await until(async () => {
    const session = await api.sessions.getSession({ id });
    return session.lifecycle === 'idle' ? session : undefined;
  });
  const { items } = await api.sessions.getTranscript({ id });
  const { entries } = await api.sessions.listSessions({});
  const { events, last } = await api.sessions.listEvents({ id, after: 0 });
  const types = items.map((item) => item.type);
  return [name, role, String(seq > 0), String(tool), String(ended.title), ...types, String(entries.length), String(events.length === last)];
}

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
`;

test('[C26] a client generated from the OpenAPI document compiles and drives a session', async () => {
  await using server = await startTestServer();
  const { body: document } = await server.call('GET', '/api/v1/openapi.json');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await generate({
    input: document,
    output: path.join(folder, 'client'),
    httpClient: 'fetch',
    clientName: 'RondoApi',
    useOptions: true,
    useUnionTypes: true,
  });
  await writeFile(path.join(folder, 'drive.ts'), program);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom'],
    types: [],
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['drive.ts', 'client'] }),
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const compiled = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  expect(compiled.stdout).toBe('');
  const bundle = path.join(folder, 'drive.mjs');
  await build({ entryPoints: [path.join(folder, 'drive.ts')], bundle: true, format: 'esm', outfile: bundle });
  await stop();
  const { drive } = (await import(pathToFileURL(bundle).href)) as {
    readonly drive: (base: string, token: string) => Promise<readonly string[]>;
  };
  expect(await drive(`${server.server.url}/api/v1`, ownerToken)).toEqual([
    'owner',
    'owner',
    'true',
    'touch',
    'Generated',
    'prompt',
    'call',
    'question',
    'message',
    'ending',
    '1',
    'true',
  ]);
});

test('[C26] every operation has a unique name and a schema for its response', async () => {
  await using server = await startTestServer();
  const { body } = await server.call('GET', '/api/v1/openapi.json');
  type Operation = {
    readonly operationId?: string;
    readonly responses: Readonly<Record<string, { content?: object }>>;
  };
  const operations = Object.values(body['paths'] as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  );
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(operations.length);
  const lacking = operations.filter(({ responses }) =>
    Object.entries(responses).some(
      ([status, { content = {} }]) =>
        status !== '204' &&
        !Object.values(content).every((media) => (media as { schema?: object }).schema !== undefined),
    ),
  );
  expect(lacking).toEqual([]);
});

test('[C26] a field that a response must have has a type', async () => {
  await using server = await startTestServer();
  const { body } = await server.call('GET', '/api/v1/openapi.json');
  const untyped = (schema: unknown, place: string): readonly string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
    const fields = new Map<string, object>(Object.entries(properties));
    return [
      ...required.filter((name) => fields.has(name) && Object.keys(fields.get(name) ?? {}).length === 0),
      ...Object.entries(schema).flatMap(([name, inner]) => untyped(inner, `${place}/${name}`)),
    ].map((name) => `${place}: ${name}`);
  };
  expect(untyped((body['components'] as { readonly schemas: object }).schemas, '')).toEqual([]);
});

test('[C26] a prompt whose meaning was not derived is explained by nothing', async () => {
  await using server = await startTestServer();
  const { body: session } = await server.call('POST', '/v1/sessions', { agent: 'testing' });
  const { status, body } = await server.call('GET', `/v1/sessions/${String(session['id'])}/why`);
  expect([status, body]).toEqual([200, {}]);
});
