import path from 'node:path';

import type { CallFacts } from '../../kernel/call.ts';
import { optional } from '../../kernel/optional.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { hookNames } from '../../security/paths/hooks-folder.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { type PathVerdict, resolveInside } from '../../security/paths/paths.ts';
import { protectedNameIn } from '../../security/paths/protected-names.ts';
import { failure, type ToolFailure } from './tool-failure.ts';

export type PathFact = NonNullable<CallFacts['paths']>[number];
export type InsidePath = Extract<PathVerdict, { type: 'inside' }>;

/** Resolves a path argument, following links. */
export function locate(requested: string, context: ToolContext): Promise<PathVerdict> {
  return resolveInside(requested, { roots: context.roots, from: context.cwd });
}

/** The fact that a policy checks a path by: relative to its root, as rules are written. */
export async function pathFact(
  requested: string,
  access: PathFact['access'],
  context: ToolContext,
): Promise<PathFact> {
  const verdict = await locate(requested, context);
  if (verdict.type === 'outside') return { path: requested, access, inside: false };
  const { sensitive } = verdict;
  const label = displayPath(verdict);
  const protects = protectedName(label, verdict);
  return {
    path: label,
    access,
    inside: true,
    ...(sensitive !== undefined && { sensitive: true }),
    ...optional({ protects }),
  };
}

/** The name in a path that controls programs or agents, including the folder of the repository's hooks. */
export function protectedName(
  label: string,
  { real, root }: Pick<InsidePath, 'real' | 'root'>,
): string | undefined {
  const named = protectedNameIn(label)?.name;
  if (named !== undefined) return named;
  const folder = hookNames(root).find((name) => isBelow(real, path.join(root, name)));
  return folder === undefined ? undefined : path.posix.basename(folder);
}

/** The path as users and rules write it: relative, with forward slashes, `.` for the root itself. */
export function displayPath(verdict: InsidePath): string {
  return verdict.relative === '' ? '.' : verdict.relative.split(path.sep).join('/');
}

export function outsideFailure(verdict: Extract<PathVerdict, { type: 'outside' }>): ToolFailure {
  return failure(verdict.code, `${verdict.message}. Use a path inside the session's folders.`);
}
