/** OpenAPI 3.1, generated from the routes, the schemas that validate their requests, and those of responses. */
import { z } from 'zod';

import { errorCodes } from '../protocol/error-code.ts';
import { namedSchemas, plainResponses, responses } from '../protocol/response-schema.ts';
import type { Route } from './route.ts';

const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(errorCodes).describe('Stable.'),
  detail: z.string(),
});

export function openApiOf(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const place = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[place] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rondo', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api/v1' }],
    security: [{ bearer: [] }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: componentSchemas(),
    },
    paths,
  };
}

function operationOf(route: Route): object {
  const { operation, summary, role, body, consumes, bodyIsOptional = false } = route;
  const file = { type: 'string', format: 'binary' };
  return {
    operationId: operation,
    tags: [tagOf(route)],
    summary,
    ...(role === undefined ? { security: [] } : { description: `Requires the role ${role}.` }),
    parameters: parametersOf(route),
    ...(body !== undefined && {
      requestBody: { required: !bodyIsOptional, content: { 'application/json': { schema: jsonSchema(body) } } },
    }),
    ...(consumes !== undefined && { requestBody: { required: true, content: { [consumes]: { schema: file } } } }),
    responses: {
      [route.status ?? 200]: successOf(route),
      '4XX': failure,
      '5XX': failure,
    },
  };
}

const failure = {
  description: 'The error, with a stable `code`',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function successOf({ operation, alsoProduces }: Route): object {
  if (operation in plainResponses) {
    const types: readonly string[] = plainResponses[operation as keyof typeof plainResponses];
    const file = { schema: { type: 'string', format: 'binary' } };
    return {
      description: 'Done',
      ...(types.length > 0 && { content: Object.fromEntries(types.map((type) => [type, file])) }),
    };
  }
  return {
    description: 'Done',
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${responseName(operation)}` } },
      ...(alsoProduces !== undefined && { [alsoProduces]: { schema: { type: 'string' } } }),
    },
  };
}

function responseName(operation: string): string {
  return `${operation[0]?.toUpperCase()}${operation.slice(1)}Response`;
}

/** `/sessions/{id}/queue` belongs to `sessions`. */
function tagOf({ path }: Route): string {
  return path.split('/')[1] ?? '';
}

function componentSchemas(): object {
  const registry = z.registry<{ readonly id: string }>();
  registry.add(problem, { id: 'Problem' });
  for (const [id, schema] of Object.entries(namedSchemas)) registry.add(schema, { id });
  const aliases: Record<string, object> = {};
  for (const [operation, schema] of Object.entries(responses)) {
    const id = responseName(operation);
    const name = registry.get(schema)?.id;
    if (name === undefined) registry.add(schema, { id });
    else aliases[id] = { $ref: `#/components/schemas/${name}` };
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    // Open objects are the default. Generators read the explicit form as a map without known fields.
    override({ jsonSchema: { properties }, jsonSchema }) {
      if (properties !== undefined) delete jsonSchema.additionalProperties;
    },
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return { ...schemas, ...aliases };
}

function parametersOf({ path, query, takesKey }: Route): readonly object[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const shape = query?.shape ?? {};
  const inQuery = Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success && !isOptional(schema as z.ZodType),
    schema: jsonSchema(schema as z.ZodType),
  }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', maxLength: 200 },
  };
  return [...inPath, ...inQuery, ...(takesKey === true ? [key] : [])];
}

function isOptional(schema: z.ZodType): boolean {
  return z.object({ value: schema }).safeParse({}).success;
}

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}
