// The effect of a command, as far as its words show (the effects table of the safety page).
//
// 1. A program, a subcommand or an option that isn't listed has the effect `unknown`.
// 2. `varies`: later words may differ between calls without doing more, so a grant may cover them. Every other
//    grant is for the exact words.
// 3. The effect of a command that reads from a pipe or a file depends on its input, so no grant covers it unless it
//    only reads.
import { readOnlyCommand } from '../../security/read-only/read-only-table.ts';
import { raisingWord } from '../../security/shell/resolve-options.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { programName, withoutStatus } from '../../security/shell/shell-word.ts';
import {
  type CommandEffect,
  EDITS,
  gitEffect,
  PACKAGE_MANAGERS,
  packageEffect,
  TOOLCHAINS,
  varying,
} from './effect-tables.ts';

/** The effects of a line's segments. A wrapper such as `timeout` has the effect of its inner command. */
export function commandEffects(segments: readonly Segment[]): readonly CommandEffect[] {
  return segments.map((segment, index) => {
    const isWrapper =
      !OWN_EFFECT.has(programName(segment.words[0])) &&
      segments.some(({ within, via }) => within === index && via.at(-1)?.endsWith('substitution') !== true);
    return bounded(segment, isWrapper ? { effect: 'look' } : knownEffect(segment));
  });
}

/** `-delete`, and the programs that `-exec` would start for each file. */
const FIND_DELETES = /^(?:-delete|(?:.*\/)?(?:rm|rmdir|unlink|shred|srm))$/;

/** Programs with an effect besides that of their inner command. */
const OWN_EFFECT: ReadonlySet<string> = new Set(['git', 'find', ...EDITS.keys()]);

function bounded(segment: Segment, inner: CommandEffect): CommandEffect {
  if (segment.words.length === 0) return { effect: 'look' };
  if (segment.opaque) return { effect: 'unknown', once: true };
  // The exit status of the previous command is a number, so printing it is as safe as any text.
  const shown = (word: string) => (inner.effect === 'look' ? withoutStatus(word) : word);
  const isUnsure = segment.dynamic.some((place) => isOpen(shown(segment.words[place] ?? '')));
  if (isUnsure) return { effect: inner.effect === 'look' ? 'look' : 'unknown', once: true };
  const isFed =
    (segment.pipe?.stage ?? 0) > 0 ||
    segment.input !== undefined ||
    segment.redirects.some(({ kind }) => kind === 'read');
  return isFed && inner.effect !== 'look' && programName(segment.words[0]) !== 'tee'
    ? { ...inner, once: true }
    : inner;
}

/** True for words known only at run time. Wildcards and home folders don't count. */
function isOpen(word: string): boolean {
  return /[$`]|\{\}|[<>]\(|\{[^}]*(?:,|\.\.)[^}]*\}/.test(word);
}

function knownEffect({ words }: Segment): CommandEffect {
  const [first = '', ...rest] = words;
  const program = programName(first);
  if (first !== program && !/^\/(?:usr\/(?:local\/)?)?bin\//.test(first)) {
    return { effect: 'build', script: { type: 'file', file: first } };
  }
  if (readOnlyCommand([program, ...rest]) !== undefined || HARMLESS.has(program)) return { effect: 'look' };
  if ((program === 'source' || program === '.') && rest.length === 1)
    return { effect: 'build', script: { type: 'file', file: rest[0] ?? '' } };
  const isRaised = raisingWord(checkedOnly(words)) !== undefined;
  if (program === 'find' && rest.some((word) => FIND_DELETES.test(word))) return { effect: 'delete' };
  const edit = EDITS.get(program);
  const list = /^pip3?$/.test(program) ? rest[rest.indexOf('-r') + 1] : undefined;
  if (edit !== undefined)
    return { effect: edit, ...(list !== undefined && { script: { type: 'file', file: list } }) };
  if (program === 'git') return gitEffect(rest, isRaised);
  if (PACKAGE_MANAGERS.has(program)) return packageEffect(rest, isRaised);
  const tests = testRunEffect(words);
  if (tests !== undefined) return tests;
  if (INTERPRETERS.has(program)) return interpreterEffect(rest, isRaised);
  const commands = TOOLCHAINS.get(program);
  if (commands === undefined || isRaised) return { effect: 'unknown' };
  switch (commands) {
    case 'exact':
      return { effect: 'build', script: { type: 'one-of', files: BUILD_FILES } };
    case 'any':
      return varying(words, 1);
    default:
      return commands.includes(rest[0] ?? '') ? varying(words, 2) : { effect: 'unknown' };
  }
}

/** With `--noEmit`, tsc writes nothing, whichever project it checks. */
function checkedOnly(words: readonly string[]): readonly string[] {
  const isCheck = programName(words[0]) === 'tsc' && words.includes('--noEmit');
  return isCheck ? words.filter((word) => !/^(?:-p|--project)$/.test(word)) : words;
}

/** `node --test …` and `python3 -m pytest …` run tests of this folder, whichever they are. */
function testRunEffect(words: readonly string[]): CommandEffect | undefined {
  const [program = '', option = '', name = ''] = words;
  if (/^(?:node|nodejs)$/.test(program) && option === '--test')
    return raisingWord(words) === undefined ? varying(words, 2) : { effect: 'unknown' };
  if (!/^python3?$/.test(program) || option !== '-m' || TOOLCHAINS.get(name) !== 'any') return undefined;
  return raisingWord(words.slice(2)) === undefined ? varying(words, 3) : { effect: 'unknown' };
}

/** `node file` and similar commands run that file. Inline code and options are `unknown`. */
function interpreterEffect([file = '']: readonly string[], isRaised: boolean): CommandEffect {
  if (isRaised || !/^[\w.@][\w./@-]*\.\w+$/.test(file) || file.includes('..')) return { effect: 'unknown' };
  return { effect: 'build', script: { type: 'file', file } };
}

/** The files that `make`, `just` and `rake` read, in their order. */
const BUILD_FILES = 'GNUmakefile makefile Makefile justfile Justfile .justfile Rakefile rakefile'.split(' ');

const INTERPRETERS: ReadonlySet<string> = new Set(
  'node nodejs python python3 ruby perl php bun deno tsx bash sh'.split(' '),
);

/** Builtins that change only the shell that runs them. */
const HARMLESS: ReadonlySet<string> = new Set(
  '[[ (( [ test true false : cd echo printf pwd exit return set shift break continue wait sleep type export local declare typeset readonly unset read'.split(
    ' ',
  ),
);
