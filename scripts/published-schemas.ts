/**
 * The JSON Schemas of docs/schemas, generated from the schemas that check input and describe output, so there is no
 * second source that could differ.
 */
import { z } from 'zod';

import { agentFileJsonSchema, configJsonSchema, configSchema } from '../src/agents/config-schema.ts';
import { jobList } from '../src/cli/workers/job-file.ts';
import { createSystemClock, startServer } from '../src/hosting.ts';
import { atomsSchema, configsSchema, verbsSchema } from '../src/intent/project/extension-schema.ts';
import { eventSchemas } from '../src/journal/event-schema/event-schemas.ts';
import { rondoVersion } from '../src/journal/rondo-version.ts';
import { clientMessages } from '../src/protocol/client-message.ts';
import { resultSchema, runLineSchema, serverMessageSchema } from '../src/protocol/output-schema.ts';
import { createRondo } from '../src/rondo.ts';

/** By file name. */
export async function publishedSchemas(): Promise<ReadonlyMap<string, object>> {
  return new Map<string, object>([
    ['config.json', configJsonSchema()],
    ['agent.json', agentFileJsonSchema()],
    ['policies.json', titled('Rondo policies: rules by name, in `rondo.json`', configSchema.shape.policies)],
    ['intent-verbs.json', titled('.rondo/intent/verbs.json', verbsSchema)],
    ['intent-configs.json', titled('.rondo/intent/configs.json', configsSchema)],
    ['intent-atoms.json', titled('.rondo/intent/atoms.json', atomsSchema)],
    ['jobs.json', titled('A file for `rondo jobs run FILE`', jobList)],
    ['events.json', titled('Events of a session, without their place', anyOf(Object.values(eventSchemas)))],
    ['run-line.json', titled('A line of `rondo run --json`', runLineSchema)],
    ['result.json', titled('The last line of `rondo run --json`', resultSchema)],
    ['websocket-client.json', titled('What a WebSocket client sends', anyOf(Object.values(clientMessages)))],
    ['websocket-server.json', titled('What a WebSocket server sends', serverMessageSchema)],
    ['openapi.json', await openApi()],
  ]);
}

export function schemaToText(schema: object): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function anyOf(schemas: readonly z.ZodType[]): z.ZodType {
  return z.union(schemas);
}

function titled(title: string, schema: z.ZodType): object {
  return { ...z.toJSONSchema(schema, { io: 'input' }), title };
}

/** As a server serves it; its routes are built from the server's parts. */
async function openApi(): Promise<object> {
  await using rondo = await createRondo({ agents: {}, models: {}, tools: [] });
  await using server = await startServer({
    backend: rondo,
    tokens: { file: { read: async () => undefined, update: async () => undefined }, owner: 'rondo_schemas' },
    cwd: '.',
    host: '127.0.0.1',
    port: 0,
    clock: createSystemClock(),
    logger: { log: () => undefined },
    version: rondoVersion(),
  });
  const answer = await fetch(`${server.url}/api/v1/openapi.json`);
  return (await answer.json()) as object;
}
