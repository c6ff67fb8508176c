import path from 'node:path';

import type { AgentRequest } from '../../kernel/agent-request.ts';
import { previewOf } from '../../kernel/content.ts';
import { isJsonObject } from '../../kernel/json-object.ts';

/** A command is allowed in its folder only: elsewhere the same text does something else. */
export function shellAllowance(line: string, cwd: unknown, { cwd: from }: { readonly cwd: string }): string {
  return `shell:${path.resolve(from, typeof cwd === 'string' ? cwd : '.')}:${line.trim()}`;
}

export function* allowancesOf(
  { call }: Extract<AgentRequest, { type: 'permission' }>,
  place: { readonly cwd: string },
): Generator<string> {
  const args: unknown = JSON.parse(previewOf(call.args));
  if (!isJsonObject(args)) return;
  if (call.tool === 'shell' && typeof args['command'] === 'string')
    yield shellAllowance(args['command'], args['cwd'], place);
  if (call.tool !== 'write' && call.tool !== 'edit') return;
  const changes: readonly unknown[] = Array.isArray(args['changes']) ? args['changes'] : [];
  const paths: readonly unknown[] = Array.isArray(args['paths']) ? args['paths'] : [];
  for (const changed of [
    ...paths,
    ...changes.map((change) => (isJsonObject(change) ? change['path'] : undefined)),
  ]) {
    if (typeof changed === 'string') yield `write:${changed}`;
  }
}
