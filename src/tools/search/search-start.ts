import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { CallFacts } from '../../kernel/call.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { dangersOfFile } from '../define/file-rules.ts';
import { fileFailure, type ToolFailure } from '../define/tool-failure.ts';
import { locate, outsideFailure, pathFact, displayPath } from '../define/tool-path.ts';

/** The facts of a search, which reads below one path. */
export async function searchFacts(
  tool: string,
  requested: string | undefined,
  context: ToolContext,
): Promise<CallFacts> {
  const fact = await pathFact(requested ?? '.', 'read', context);
  const dangers = dangersOfFile(path.resolve(context.cwd, requested ?? '.'), 'read', context);
  return {
    access: 'read',
    paths: [fact],
    ...(dangers.length > 0 && { dangers }),
    grants: dangers.length > 0 ? [] : [`${tool}(${fact.path})`],
    repeat: 'safe',
    order: 'parallel',
    runs: 'tool',
  };
}

export interface SearchStart {
  readonly type: 'start';
  readonly real: string;
  readonly root: string;
  readonly label: string;
  readonly kind: 'file' | 'folder';
}

export async function folderToSearch(
  requested: string | undefined,
  context: ToolContext,
): Promise<SearchStart | ToolFailure> {
  const target = await locate(requested ?? '.', context);
  if (target.type === 'outside') return outsideFailure(target);
  const label = displayPath(target);
  try {
    const stats = await stat(target.real);
    return {
      type: 'start',
      real: target.real,
      root: target.root,
      label,
      kind: stats.isDirectory() ? 'folder' : 'file',
    };
  } catch (error) {
    return fileFailure(error, label);
  }
}

/** A search result's path relative to the working directory instead of the search's start. */
export function pathFromStart(start: SearchStart, file: string): string {
  if (start.kind === 'file') return start.label;
  return start.label === '.' ? file : `${start.label}/${file}`;
}
