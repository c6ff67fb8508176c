import path from 'node:path';

import picomatch from 'picomatch';

import type { SegmentFact } from '../../src/kernel/call.ts';

/**
 * Whether a command under everyday grants may change a file of the marker jail. Everything else is harm.
 *
 * 1. A file that a part names itself, one inside a folder that it names, and the folders above it.
 * 2. By git commands, files of the repository, except those that decide which programs run.
 * 3. By git commands that check out, stash, move or remove files, the ordinary files of the work tree.
 *
 * Nothing around the workspace, no secret, no protected name and no link counts, whatever the command says.
 */
export function mayChange(file: string, segments: readonly SegmentFact[]): boolean {
  if (isGuarded(file)) return false;
  const inside = file.split(path.sep).slice(1).join('/');
  return segments.some(({ text }) => {
    const words = wordsOf(text);
    if (/^\.git(?:$|\/)/.test(inside)) return words[0] === 'git';
    return isNamed(inside, words) || (words[0] === 'git' && CHECKS_OUT.test(words[1] ?? ''));
  });
}

/** Around the workspace, or a file in it that is secret, leads out or decides which programs run. */
export function isGuarded(file: string): boolean {
  const [place, ...parts] = file.split(path.sep);
  return place !== 'workspace' || NEVER.test(parts.join('/'));
}

const NEVER = /^(?:\.git\/(?:hooks|config|info|modules)|\.vscode|\.env|id_rsa|link\.txt$|out$|pipe$)/;
const CHECKS_OUT = /^(?:stash|switch|checkout|merge|cherry-pick|revert|mv|rm)$/;

function wordsOf(text: string): readonly string[] {
  // A redirection has no program.
  const words = text.replace(/^[<>]/, "'' ").match(/(?:"[^"]*"|'[^']*'|[^\s;|&<>()"'])+/g) ?? [];
  return words.map((word) => word.replaceAll(/["']/g, '').replace(/^[\w-]+=/, ''));
}

function isNamed(inside: string, words: readonly string[]): boolean {
  return words.slice(1).some((word) => {
    const name = path.posix.normalize(word).replace(/^\.\/|\/$/g, '');
    if (name === '' || name === '.' || name.startsWith('-')) return false;
    return (
      inside === name ||
      inside.startsWith(`${name}/`) ||
      name.startsWith(`${inside}/`) ||
      picomatch.isMatch(inside, name)
    );
  });
}
