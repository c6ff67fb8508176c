import path from 'node:path';

import { findGitPlace } from '../../git/find-git-place.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { isThere } from '../../security/paths/is-there.ts';
import { gitLook, lookArguments } from '../../security/read-only/git-looks.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { sensitivityOf } from '../../security/paths/paths.ts';
import { isProgramOfRoots } from './program-place.ts';
import { locate } from '../define/tool-path.ts';

/**
 * The arguments for the git runner, if the words only read a repository inside the roots and show no secret (S9).
 * Undefined if that isn't certain.
 */
export async function gitLookArguments(
  [program = '', ...words]: readonly string[],
  context: ToolContext,
): Promise<readonly string[] | undefined> {
  const look = gitLook(words);
  if (look === undefined || isProgramOfRoots(program, context.roots)) return undefined;
  const place = await findGitPlace(context.cwd);
  if (place.type !== 'place' || place.top === undefined) return undefined;
  const top = await locate(place.top, context);
  if (top.type === 'outside' || !isBelow(place.top, top.root)) return undefined;
  const files = new Set<string>();
  for (const word of look.either) if (await isThere(path.resolve(context.cwd, word))) files.add(word);
  const match = lookArguments(look, (word) => files.has(word));
  if (match === undefined) return undefined;
  const isContent = look.showsContent || look.takes === 'file';
  const isSecret = (name: string) => sensitivityOf(path.normalize(name).replace(/\/+$/, '')) !== undefined;
  if (match.contents.some(isSecret)) return undefined;
  for (const name of match.paths) {
    const verdict = await locate(name, context);
    if (verdict.type === 'outside') return undefined;
    if (isContent && (verdict.sensitive !== undefined || isSecret(name))) return undefined;
  }
  return match.args;
}
