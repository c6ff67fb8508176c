// Compares a response with the OpenAPI document: its operation, and the schema published for it.
import { responses } from '../../src/protocol/response-schema.ts';

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/** Undefined if the response has the documented shape. The document itself isn't an operation. */
export function problemOfResponse(
  { paths }: OpenApi,
  method: string,
  path: string,
  body: unknown,
): string | undefined {
  if (path === '/openapi.json') return undefined;
  const found = Object.entries(paths)
    .filter(([place, operations]) => patternOf(place).test(path) && method.toLowerCase() in operations)
    // `/sessions/search` before `/sessions/{id}`.
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)[0];
  const operation = found?.[1][method.toLowerCase()]?.operationId;
  if (operation === undefined) return 'it names no such operation';
  const schema = Object.entries(responses).find(([name]) => name === operation)?.[1];
  return schema?.safeParse(body).error?.message;
}

function patternOf(place: string): RegExp {
  return new RegExp(`^${place.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
