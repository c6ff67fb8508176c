import { readdir } from 'node:fs/promises';
import path from 'node:path';

import type { GlobPiece } from '../../security/read-only/read-only-plan.ts';

/**
 * Expands a wildcard word to sorted paths, as a shell without options does: hidden names only on request. Undefined
 * if nothing matches or there are too many matches.
 */
export async function expandGlob(
  pieces: readonly GlobPiece[],
  folder: string,
): Promise<readonly string[] | undefined> {
  let paths: readonly string[] = [''];
  for (const [index, part] of partsOf(pieces).entries()) {
    const slash = index === 0 ? '' : '/';
    const isWild = part.some(({ type }) => type !== 'literal');
    const next: string[] = [];
    for (const before of paths) {
      const begun = `${before}${slash}`;
      if (!isWild) next.push(`${begun}${literalOf(part)}`);
      else next.push(...(await matching(part, begun, folder)));
      if (next.length > MOST) return undefined;
    }
    paths = next;
  }
  return paths.length === 0 ? undefined : paths.toSorted();
}

const MOST = 5_000;

async function matching(part: readonly GlobPiece[], begun: string, folder: string): Promise<readonly string[]> {
  const [first] = part;
  const showsHidden = first?.type === 'literal' && first.text.startsWith('.');
  const pattern = new RegExp(`^${part.map(pieceToRegExp).join('')}$`, 'su');
  const names = await readdir(path.resolve(folder, begun === '' ? '.' : begun)).catch(() => []);
  return names
    .filter((name) => pattern.test(name) && (showsHidden || !name.startsWith('.')))
    .map((name) => `${begun}${name}`);
}

function pieceToRegExp(piece: GlobPiece): string {
  if (piece.type === 'literal') return piece.text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return piece.type === 'star' ? '.*' : '.';
}

/** The word's parts between slashes. */
function partsOf(pieces: readonly GlobPiece[]): readonly (readonly GlobPiece[])[] {
  const parts: GlobPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.type !== 'literal') {
      parts.at(-1)?.push(piece);
      continue;
    }
    for (const [index, text] of piece.text.split('/').entries()) {
      if (index > 0) parts.push([]);
      if (text !== '') parts.at(-1)?.push({ type: 'literal', text });
    }
  }
  return parts;
}

function literalOf(part: readonly GlobPiece[]): string {
  return part.map((piece) => (piece.type === 'literal' ? piece.text : '')).join('');
}
