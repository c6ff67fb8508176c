/** OpenAPI 3.1, generated from the routes and the schemas that validate their requests. */
import { z } from 'zod';

import type { Route } from './route.ts';

const problem = {
  description: 'The error, with a stable `code`',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['type', 'title', 'status', 'code', 'detail'],
        properties: {
          type: { type: 'string' },
          title: { type: 'string' },
          status: { type: 'integer' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};

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
    },
    paths,
  };
}

function operationOf(route: Route): object {
  const { summary, role, body, status = 200, bodyIsOptional = false } = route;
  return {
    summary,
    ...(role === undefined ? { security: [] } : { description: `Requires the role ${role}.` }),
    parameters: parametersOf(route),
    ...(body !== undefined && {
      requestBody: { required: !bodyIsOptional, content: { 'application/json': { schema: jsonSchema(body) } } },
    }),
    responses: {
      [status]:
        status === 204 ? { description: 'Done' } : { description: 'Done', content: { 'application/json': {} } },
      default: problem,
    },
  };
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
