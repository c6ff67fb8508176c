import type { Segment } from './segment.ts';
import { programName } from './shell-word.ts';

/** One word after the program's name. */
export type Argument = { readonly text: string; readonly dynamic: boolean };

export function runs(segment: Segment, ...programs: readonly string[]): boolean {
  return programs.includes(programName(segment.words[0]));
}

export function segmentArguments(segment: Segment): readonly Argument[] {
  const dynamic = new Set(segment.dynamic);
  return segment.words.slice(1).map((text, index) => ({ text, dynamic: dynamic.has(index + 1) }));
}

/** Arguments that aren't options. */
export function targetsOf(segment: Segment): readonly Argument[] {
  const all = segmentArguments(segment);
  const end = all.findIndex((word) => word.text === '--');
  const before = (end === -1 ? all : all.slice(0, end)).filter((word) => !/^-./.test(word.text));
  return end === -1 ? before : [...before, ...all.slice(end + 1)];
}

/**
 * True if the segment has one of the short option letters, alone or in a cluster, or the long option, even
 * abbreviated.
 */
export function hasOption(segment: Segment, letters: string, ...long: readonly string[]): boolean {
  if (
    optionLetters(segment)
      .split('')
      .some((letter) => letters.includes(letter))
  )
    return true;
  return segment.words.some(
    (word) =>
      /^--\w/.test(word) && long.some((name) => name.startsWith(word.replace(/=.*/s, '')) && word.length > 3),
  );
}

export function optionLetters(segment: Segment): string {
  const end = segment.words.indexOf('--');
  const words = segment.words.slice(1, end === -1 ? undefined : end);
  return words.flatMap((word) => (/^-[^-]/.test(word) ? [word.slice(1)] : [])).join('');
}

/** The files that a segment writes, by redirection or through its program. */
export function writesOf(segment: Segment): readonly Argument[] {
  const redirected = segment.redirects.flatMap((redirect) =>
    redirect.kind === 'read' ? [] : [{ text: redirect.target, dynamic: redirect.dynamic }],
  );
  return [...redirected, ...programWrites(segment)];
}

export function readsOf(segment: Segment): readonly Argument[] {
  const redirected = segment.redirects.flatMap((redirect) =>
    redirect.kind === 'read' ? [{ text: redirect.target, dynamic: redirect.dynamic }] : [],
  );
  return [...redirected, ...segmentArguments(segment)];
}

function programWrites(segment: Segment): readonly Argument[] {
  const targets = targetsOf(segment);
  switch (programName(segment.words[0])) {
    case 'tee':
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'touch':
    case 'mkdir':
    case 'truncate':
    case 'shred':
    case 'sponge':
      return targets;
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return targets.slice(1);
    case 'cp':
    case 'install':
    case 'ln':
    case 'rsync':
    case 'scp':
      return [...targets.slice(-1), ...optionValues(segment, /^(?:-t|--target-directory=?)/)];
    case 'mv':
      return [...targets, ...optionValues(segment, /^(?:-t|--target-directory=?)/)];
    case 'dd':
      return optionValues(segment, /^of=/);
    case 'sed':
      return optionLetters(segment).includes('i') || hasOption(segment, '', '--in-place') ? targets : [];
    case 'curl':
      return optionValues(
        segment,
        /^(?:-[a-zA-Z]*[oDc]|--(?:output|output-dir|dump-header|cookie-jar|trace|trace-ascii|stderr)=?)/,
      );
    case 'wget':
      return optionValues(
        segment,
        /^(?:-[a-zA-Z]*[OPoa]|--(?:output-document|output-file|append-output|directory-prefix)=?)/,
      );
    case 'find':
      return optionValues(segment, /^-f(?:printf|print0|print|ls)$/);
    case 'tar':
      return optionValues(segment, /^(?:-C|-[a-zA-Z]*f|--directory=?|--file=?)/);
    case 'sort':
    case 'shuf':
      return optionValues(segment, /^(?:-[a-zA-Z]*o|--output=?)/);
    case 'git':
      return optionValues(segment, /^(?:-o$|--output(?:-directory)?=?)/);
    case 'uniq':
      return targets.slice(1);
    case 'patch':
      return [...targets.slice(0, 1), ...optionValues(segment, /^(?:-[a-zA-Z]*o|--output=?)/)];
    case 'split':
    case 'zip':
    case 'gzip':
    case 'unzip':
      return targets;
    case 'openssl':
      return optionValues(segment, /^-out$/);
    default:
      return [];
  }
}

/** The value attached to an option, or the word that follows it. */
function optionValues(segment: Segment, option: RegExp): readonly Argument[] {
  const all = segmentArguments(segment);
  return all.flatMap((word, index) => {
    const match = option.exec(word.text);
    if (match === null) return [];
    const attached = word.text.slice(match[0].length);
    if (attached !== '') return [{ text: attached, dynamic: word.dynamic }];
    const following = all[index + 1];
    return following === undefined ? [] : [following];
  });
}
