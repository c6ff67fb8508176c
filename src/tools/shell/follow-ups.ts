/** Turns reverted changes into calls that would make them. Each is checked, shown, and then made or refused. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { ToolResult } from '../../kernel/outcome.ts';
import type { FollowUp, ToolContext, ToolEnd } from '../../ports/tool.ts';
import type { Undone } from '../../security/sandbox/command-sandbox.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { sensitivityOf } from '../../security/paths/paths.ts';
import { decodeFile } from '../files/text-file.ts';
import type { SteeringChange } from './steering-files.ts';

export async function withFollowUps(
  result: ToolResult,
  undone: readonly (Undone | SteeringChange)[],
  context: ToolContext,
): Promise<ToolEnd> {
  if (result.type === 'cancelled' || undone.length === 0) return result;
  const calls = (await Promise.all(undone.map((one) => followUps(one, context)))).flat().slice(0, MOST);
  return calls.length === 0 ? result : { ...result, followUps: calls };
}

/** Nobody reads a longer list of questions. Omitted changes stay reverted, and the result lists them. */
const MOST = 10;

async function followUps(change: Undone | SteeringChange, context: ToolContext): Promise<readonly FollowUp[]> {
  if ('wanted' in change) {
    return change.wanted === 'deleted'
      ? [{ tool: 'delete', args: { path: pathFor(change.file, context) } }]
      : writing(change.file, change.wanted, context);
  }
  if (change.kept === undefined) return [];
  const files = await filesIn(change.kept, change.file);
  const calls = files.map(async ({ from, to }) => writing(to, await readFile(from), context));
  return (await Promise.all(calls)).flat();
}

function writing(file: string, content: Buffer, context: ToolContext): readonly FollowUp[] {
  const root = context.roots.find((one) => isBelow(file, one));
  const decoded = decodeFile(content);
  // The question and the journal would show a file with keys.
  const isSecret = root === undefined || sensitivityOf(path.relative(root, file)) === 'secret';
  if (isSecret || decoded.type !== 'text') return [];
  return [{ tool: 'write', args: { path: pathFor(file, context), content: decoded.text } }];
}

function pathFor(file: string, { cwd }: ToolContext): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') ? file : relative;
}

async function filesIn(
  from: string,
  to: string,
): Promise<readonly { readonly from: string; readonly to: string }[]> {
  const stats = await lstat(from).catch(() => undefined);
  if (stats?.isFile() === true) return stats.size > LARGEST ? [] : [{ from, to }];
  if (stats?.isDirectory() !== true) return [];
  const names = (await readdir(from)).toSorted().slice(0, MOST);
  return (await Promise.all(names.map((name) => filesIn(path.join(from, name), path.join(to, name))))).flat();
}

const LARGEST = 256 * 1024;
