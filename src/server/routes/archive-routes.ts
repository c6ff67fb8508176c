/** Stored sessions: full-text search, export and import. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { z } from 'zod';

import { Fault } from '../../kernel/fault.ts';
import { exportBody, importQuery, searchQuery } from '../../protocol/http-schema.ts';
import type { ExportFormat } from '../../ports/session-client.ts';
import type { Export } from '../../upkeep/export-session.ts';
import type { Backend } from '../backend.ts';
import { failed } from '../outcome.ts';
import { routeAnswer, ok, param, type RouteCall, type Route, type RouteAnswer } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

const bundleType = 'application/vnd.rondo.bundle';
/** How many sub-agents a response header names, to keep it small. */
const mostNamed = 100;
const largestBundle = 1024 * 1024 * 1024;

const kinds: Readonly<Record<ExportFormat, { readonly type: string; readonly ending: string }>> = {
  bundle: { type: bundleType, ending: 'rondo' },
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  json: { type: 'application/json', ending: 'json' },
};

export function archiveRoutes({ backend: { sessions }, operations, logger }: RouteParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/sessions/:id/export',
      operation: 'exportSession',
      summary: 'Export a session as a bundle, Markdown or JSON, with secrets redacted',
      role: 'viewer',
      body: exportBody,
      bodyIsOptional: true,
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async ({ id }) => {
          const { format = 'bundle', children = 'small' } = (call.body ?? {}) as z.infer<typeof exportBody>;
          const exported = await sessions.export(id, { format, children });
          void send(exported, format, call.outgoing).catch((error: unknown) => {
            // The response has started. Destroy it, so that the client doesn't take it for complete.
            logger.log('error', 'an export was broken off', { session: id, error: String(error) });
            call.outgoing.destroy();
          });
          return { type: 'streaming' };
        }),
    },
    {
      method: 'GET',
      path: '/sessions/search',
      operation: 'searchSessions',
      summary: 'Search sessions by title and messages, newest first',
      role: 'viewer',
      query: searchQuery,
      async handle({ query }) {
        const { text, limit = 20 } = query as z.infer<typeof searchQuery>;
        return ok({ sessions: await sessions.search(text, { limit }) });
      },
    },
    {
      method: 'GET',
      path: '/sessions/:id/find',
      operation: 'findInSession',
      summary: 'Search the messages of a session, newest first',
      role: 'viewer',
      query: searchQuery,
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async ({ id }) => {
          const { text, limit = 20 } = call.query as z.infer<typeof searchQuery>;
          return ok({ found: await sessions.find(id, text, { limit }) });
        }),
    },
    {
      method: 'POST',
      path: '/sessions/import',
      operation: 'importSessions',
      consumes: bundleType,
      summary: `Import the sessions of a bundle; the body is ${bundleType}`,
      role: 'owner',
      query: importQuery,
      status: 201,
      handle: (call) => takeIn(call, sessions),
    },
  ];
}

async function send(
  { session, pieces, leftOut }: Export,
  format: ExportFormat,
  outgoing: ServerResponse,
): Promise<void> {
  const { type, ending } = kinds[format];
  outgoing.writeHead(200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${session}.${ending}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(leftOut.length > 0 && { 'x-rondo-left-out': leftOut.slice(0, mostNamed).join(',') }),
  });
  await pipeline(Readable.from(pieces), outgoing);
}

async function takeIn(call: RouteCall, sessions: Backend['sessions']): Promise<RouteAnswer> {
  // Forms can't send this type, so no foreign page can make a browser import a bundle.
  if (call.incoming.headers['content-type'] !== bundleType) {
    return failed('INVALID_MESSAGE', `The body must be a bundle: \`Content-Type: ${bundleType}\`.`);
  }
  const { damaged } = call.query as z.infer<typeof importQuery>;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-import-'));
  const file = path.join(folder, 'bundle');
  try {
    if (!(await spool(call.incoming, file))) {
      return failed('MESSAGE_TOO_LARGE', 'The bundle is too large for this call; use `rondo import`.');
    }
    const report = await sessions.import(() => createReadStream(file, 'utf8'), {
      name: 'the bundle',
      upToDamage: damaged === 'take-sound',
    });
    const { state: _, ...rest } = report;
    return ok(rest, 201);
  } catch (error) {
    if (error instanceof Fault && (error.code === 'damaged' || error.code === 'unreadable'))
      return failed('REFUSED', error.message);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stores the bundle in a temporary file, because it is read twice. False if it is too large. */
async function spool(incoming: IncomingMessage, file: string): Promise<boolean> {
  let length = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      length += chunk.length;
      next(length > largestBundle ? new Error('too large') : null, chunk);
    },
  });
  try {
    await pipeline(incoming, bounded, createWriteStream(file, { mode: 0o600 }));
    return true;
  } catch (error) {
    if (length > largestBundle) return false;
    throw error;
  }
}
