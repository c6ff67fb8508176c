/** The HTTP interface on Hono: what every request passes through, then its route. */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';

import { problemOf, type ClientError } from '../protocol/error-code.ts';
import { firstIssue, idempotencyKey } from '../protocol/input-schema.ts';
import { parseStrictJson } from '../protocol/strict-json.ts';
import type { ServerLogger } from './backend.ts';
import type { Gate } from './gate.ts';
import { lacks, type Identity } from './identity.ts';
import type { Metrics } from './metrics.ts';
import { errorOfFault } from './operations.ts';
import type { Route, RouteAnswer } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import type { WebApp, WebRequest } from './web-app.ts';

type Env = { Bindings: HttpBindings };

export interface HttpAppParts {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly metrics: Metrics;
  readonly metricsText: () => Promise<string>;
  readonly isReady: () => boolean;
  readonly logger: ServerLogger;
  readonly isSecure: boolean;
  readonly version: string;
  readonly web: WebApp;
}

const largestBody = 1024 * 1024;
const base = '/api/v1';

export function createHttpApp(parts: HttpAppParts): Hono<Env> {
  const { routes, gate, metrics, logger } = parts;
  const app = new Hono<Env>();
  const headers = securityHeaders(parts);
  const nobody: Identity = { role: 'viewer', actor: { type: 'person', name: 'nobody' }, token: '' };

  const problem = (context: Context<Env>, error: ClientError): Response => {
    const body = problemOf(error);
    if (error.code === 'FORBIDDEN' || error.code === 'UNAUTHORIZED') metrics.refused += 1;
    if (error.code === 'RATE_LIMITED') metrics.rateLimited += 1;
    return context.body(JSON.stringify(body), body.status as 400, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(error.code === 'UNAUTHORIZED' && { 'www-authenticate': 'Bearer realm="rondo"' }),
      ...(error.code === 'RATE_LIMITED' && { 'retry-after': '1' }),
    });
  };

  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    await next();
    if (context.res.status !== 0) metrics.answered(context.res.status);
  });
  app.get('/healthz', (context) => context.json({ status: 'alive' }));
  app.get('/readyz', (context) =>
    parts.isReady() ? context.json({ status: 'ready' }) : context.json({ status: 'draining' }, 503),
  );
  app.use(async (context, next) => {
    const error = gate.problemWith(context.env.incoming);
    return error === undefined ? next() : problem(context, error);
  });

  /** Who asks, or the answer that turns them away. */
  async function admit(
    context: Context<Env>,
    route: Pick<Route, 'role' | 'summary'>,
  ): Promise<Identity | Response> {
    if (route.role === undefined) return nobody;
    const identified = await gate.identify(context.env.incoming);
    if (identified === undefined) {
      return problem(context, {
        code: 'UNAUTHORIZED',
        message: 'A token is wanted: `Authorization: Bearer …`, or log in.',
      });
    }
    if (identified.type === 'error') return problem(context, identified.error);
    const { who } = identified;
    if (!gate.mayAskNow(who))
      return problem(context, { code: 'RATE_LIMITED', message: 'Too many requests; slow down.' });
    const refused = lacks(who, route.role, route.summary.toLowerCase());
    return refused === undefined ? who : problem(context, refused);
  }

  async function serve(context: Context<Env>, route: Route): Promise<Response> {
    const by = await admit(context, route);
    if (by instanceof Response) return by;
    const checked = await check(context.req.raw, context.req.query(), route);
    if (checked.type === 'error') return problem(context, checked.error);
    const { incoming, outgoing } = context.env;
    const answer = await route.handle({ by, params: context.req.param(), ...checked.value, incoming, outgoing });
    return respond(context, answer);
  }

  function respond(context: Context<Env>, answer: RouteAnswer): Response {
    if (answer.type === 'error') return problem(context, answer.error);
    if (answer.type === 'streaming') return RESPONSE_ALREADY_SENT;
    const { status, body, text, headers: more } = answer;
    for (const [name, value] of Object.entries(more ?? {})) context.header(name, value);
    if (status === 204) return context.body(null, 204);
    return context.body(text ?? JSON.stringify(body), status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
  }

  for (const route of routes) {
    app.on(route.method, `${base}${route.path}`, (context) => serve(context, route));
  }
  let openApi: string | undefined;
  app.get(`${base}/openapi.json`, async (context) => {
    // Few ask for it, and making it takes as long as half of the start.
    openApi ??= JSON.stringify((await import('./openapi.ts')).openApiOf(routes, parts.version));
    return context.body(openApi, 200, { 'content-type': 'application/json' });
  });
  app.get('/metrics', async (context) => {
    const by = await admit(context, { role: 'viewer', summary: 'read the metrics' });
    if (by instanceof Response) return by;
    return context.body(await parts.metricsText(), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    });
  });
  app.notFound(async (context) => {
    const { method, path } = context.req;
    const file = method === 'GET' || method === 'HEAD' ? await parts.web.find(webRequest(context)) : undefined;
    if (file?.status === 304) return context.body(null, 304, file.headers);
    if (file !== undefined) return context.body(file.body, 200, file.headers);
    return problem(context, { code: 'NOT_FOUND', message: `There is nothing at ${path}.` });
  });
  app.onError((error, context) => {
    const told = errorOfFault(error);
    if (told.code === 'INTERNAL')
      logger.log('error', 'a request failed', { path: context.req.path, error: error.message });
    return problem(context, told);
  });
  return app;
}

function webRequest({ req }: Context<Env>): WebRequest {
  return {
    path: req.path,
    accept: req.header('accept') ?? '',
    acceptEncoding: req.header('accept-encoding') ?? '',
    ifNoneMatch: req.header('if-none-match'),
  };
}

type Checked =
  | { readonly type: 'checked'; readonly value: { query: unknown; body: unknown; key: string | undefined } }
  | { readonly type: 'error'; readonly error: ClientError };

async function check(request: Request, given: Record<string, string>, route: Route): Promise<Checked> {
  const query = route.query?.safeParse(given);
  if (query?.success === false) return invalid(`The query is wrong: ${firstIssue(query.error)}.`);
  const key = request.headers.get('idempotency-key') ?? undefined;
  if (key !== undefined && !idempotencyKey.safeParse(key).success)
    return invalid('Idempotency-Key has 1 to 200 characters.');
  const checked = (body: unknown): Checked => ({
    type: 'checked',
    value: { query: query?.data ?? {}, body, key },
  });
  if (route.body === undefined) return checked(undefined);
  const bytes = await readBody(request, route.largestBody ?? largestBody);
  if (bytes === 'too-large') {
    return {
      type: 'error',
      error: { code: 'MESSAGE_TOO_LARGE', message: 'The body is larger than this call takes.' },
    };
  }
  if (bytes.length === 0 && route.bodyIsOptional === true) return checked(undefined);
  if (!isJson(request.headers.get('content-type')))
    return invalid('The body is JSON: `Content-Type: application/json`.');
  const text = decoded(bytes);
  if (text === undefined) return invalid('The body is not UTF-8.');
  const parsed = parseStrictJson(text);
  if (parsed.type === 'invalid') return invalid(`The body cannot be read: ${parsed.reason}.`);
  const body = route.body.safeParse(parsed.value);
  return body.success ? checked(body.data) : invalid(`The body is wrong: ${firstIssue(body.error)}.`);
}

/** Requests of a form need no word of the browser's to be sent from anywhere: JSON is insisted on. */
function isJson(type: string | null): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '');
}

async function readBody(request: Request, most: number): Promise<Uint8Array | 'too-large'> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return 'too-large';
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > most) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function invalid(message: string): Checked {
  return { type: 'error', error: { code: 'INVALID_MESSAGE', message } };
}
