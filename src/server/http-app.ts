/** The HTTP API on Hono: common checks for every request, then its route. */
import type { IncomingMessage } from 'node:http';

import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { problemBody, type ClientError } from '../protocol/error-code.ts';
import type { ServerLogger } from './backend.ts';
import type { Gate } from './gate.ts';
import { lacks, type Identity, selfApproval, type SessionOfPeer } from './identity.ts';
import type { Metrics } from './metrics.ts';
import { errorOfFault, isStoreAway } from './outcome.ts';
import type { Route, RouteAnswer, RouteCall } from './route.ts';
import { dataHeaders, securityHeaders } from './security-headers.ts';
import type { WebApp, WebRequest } from './web-app.ts';
import { type Turned, turnedAway, problemHeaders, checkRequest } from './check-request.ts';

type Env = { Bindings: HttpBindings };

/** What `/readyz` answers. A node without its store leaves its clients to the others. */
type Readiness = 'ready' | 'draining' | 'store unreachable';

interface HttpAppParts {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly metrics: Metrics;
  readonly metricsText: () => Promise<string>;
  readonly readiness: () => Readiness;
  readonly sessionOfPeer?: SessionOfPeer | undefined;
  readonly logger: ServerLogger;
  readonly isSecure: boolean;
  readonly version: string;
  readonly web: WebApp;
}

const base = '/api/v1';

export function createHttpApp(parts: HttpAppParts): Hono<Env> {
  const { routes, gate, metrics, logger } = parts;
  const app = new Hono<Env>();
  const headers = securityHeaders(parts);
  const nobody: Identity = { role: 'viewer', actor: { type: 'person', name: 'nobody' }, token: '' };

  function countRefusal({ code }: ClientError): void {
    if (code === 'FORBIDDEN' || code === 'UNAUTHORIZED') metrics.refused += 1;
    if (code === 'RATE_LIMITED') metrics.rateLimited += 1;
  }

  const problem = (context: Context<Env>, error: ClientError): Response => {
    const body = problemBody(error);
    countRefusal(error);
    return context.body(JSON.stringify(body), body.status as 400, problemHeaders(error));
  };

  /** Identifies the caller, or returns why the request is refused before its route runs. */
  async function admit(
    incoming: IncomingMessage,
    route: Pick<Route, 'role' | 'method' | 'path' | 'isForPeople'>,
  ): Promise<Admitted | Turned> {
    const strange = gate.problemWith(incoming);
    if (strange !== undefined) return turnedAway(strange);
    if (route.role === undefined) return { type: 'admitted', by: nobody, refusedSince: async () => undefined };
    const identified = await gate.identify(incoming);
    if (identified === undefined) {
      return turnedAway({
        code: 'UNAUTHORIZED',
        message: 'Authentication required: send `Authorization: Bearer …`, or sign in.',
      });
    }
    if (identified.type === 'error') return identified;
    const { who } = identified;
    if (!gate.mayAskNow(who))
      return turnedAway({
        code: 'RATE_LIMITED',
        message: 'Too many requests with this token. Wait a second and retry.',
      });
    const refused =
      lacks(who, route.role, `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`) ??
      (route.isForPeople === true ? selfApproval(who, parts.sessionOfPeer) : undefined);
    if (refused !== undefined) return turnedAway(refused);
    const { secret } = identified;
    const refusedSince = async () => {
      const again = await gate.identifyAgain({ secret, token: who.token }, incoming.socket.remoteAddress ?? '');
      return again?.type === 'error' ? again.error : undefined;
    };
    return { type: 'admitted', by: who, refusedSince };
  }

  async function answer({ req, env }: Context<Env>, route: Route): Promise<RouteAnswer> {
    const { incoming, outgoing } = env;
    const admitted = await admit(incoming, route);
    if (admitted.type === 'error') return admitted;
    const checked = await checkRequest(incoming, req, route);
    if (checked.type === 'error') return checked;
    const { by, refusedSince } = admitted;
    return route.handle({ by, refusedSince, params: req.param(), ...checked.value, incoming, outgoing });
  }

  const bareHeaders = dataHeaders(parts);
  const jsonHeaders = { ...bareHeaders, 'content-type': 'application/json' };

  /** Writes directly to the socket: a web `Response` costs more than most answers themselves. */
  function write({ outgoing }: HttpBindings, given: RouteAnswer): void {
    if (given.type === 'streaming') return metrics.answered(200);
    if (given.type === 'error') {
      countRefusal(given.error);
      const body = problemBody(given.error);
      return put(body.status, { ...bareHeaders, ...problemHeaders(given.error) }, JSON.stringify(body));
    }
    if (given.type === 'bytes')
      return put(200, { ...bareHeaders, ...given.headers, 'content-type': given.contentType }, given.bytes);
    const { status, body, text = JSON.stringify(body), headers: more } = given;
    if (status === 204) return put(204, { ...bareHeaders, ...more }, undefined);
    put(status, more === undefined ? jsonHeaders : { ...jsonHeaders, ...more }, text);

    function put(
      code: number,
      fields: Readonly<Record<string, string>>,
      content: string | Uint8Array | undefined,
    ): void {
      metrics.answered(code);
      const length = content === undefined ? {} : { 'content-length': Buffer.byteLength(content) };
      outgoing.writeHead(code, { ...fields, ...length }).end(content);
    }
  }

  // Registered first, so that an API call passes through no middleware it doesn't need.
  for (const route of routes) {
    app.on(route.method, `${base}${route.path}`, async (context) => {
      write(context.env, await answer(context, route));
      return RESPONSE_ALREADY_SENT;
    });
  }
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    await next();
    metrics.answered(context.res.status);
  });
  app.get('/healthz', (context) => context.json({ status: 'alive' }));
  app.get('/readyz', (context) => {
    const status = parts.readiness();
    return context.json({ status }, status === 'ready' ? 200 : 503);
  });
  app.use(async (context, next) => {
    const error = gate.problemWith(context.env.incoming);
    return error === undefined ? next() : problem(context, error);
  });
  let openApi: string | undefined;
  app.get(`${base}/openapi.json`, async (context) => {
    // Built on first use: it is rarely requested and takes half as long as the whole start.
    openApi ??= JSON.stringify((await import('./openapi.ts')).openApiOf(routes, parts.version));
    return context.body(openApi, 200, { 'content-type': 'application/json' });
  });
  app.get('/metrics', async (context) => {
    const admitted = await admit(context.env.incoming, { role: 'viewer', method: 'GET', path: '/metrics' });
    if (admitted.type === 'error') return problem(context, admitted.error);
    return context.body(await parts.metricsText(), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    });
  });
  app.notFound(async (context) => {
    const { method, path } = context.req;
    const file = method === 'GET' || method === 'HEAD' ? await parts.web.find(webRequest(context)) : undefined;
    if (file?.status === 304) return context.body(null, 304, file.headers);
    if (file !== undefined) return context.body(file.body, 200, file.headers);
    return problem(context, {
      code: 'NOT_FOUND',
      message: `Not found: ${path}. /api/v1/openapi.json lists all routes.`,
    });
  });
  app.onError((error, context) => {
    const wireError = errorOfFault(error);
    if (wireError.code === 'INTERNAL' || isStoreAway(error))
      logger.log('error', 'a request failed', { path: context.req.path, error: error.message });
    return problem(context, wireError);
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

interface Admitted {
  readonly type: 'admitted';
  readonly by: Identity;
  readonly refusedSince: RouteCall['refusedSince'];
}
