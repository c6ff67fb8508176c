// How far a command line reaches into the file system, as far as its words show.
//
// 1. The target of a redirection, and every change of a protected name, is checked as a path, like a write by any
//    other tool.
// 2. Writing a file outside the roots is refused. Reading one, and using the temporary folder, needs approval.
// 3. Writing to a target known only at run time needs approval.
// 4. A word that could name a private place is refused, whatever the rules allow.
// 5. A word that names a file of a deny or ask rule gets that rule's verdict. A search of a folder with such a file
//    needs approval. What a program does beyond its words isn't known.
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { CallFacts } from '../../kernel/call.ts';
import type { FileUse } from '../../kernel/policy/file-rules.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { physicalPath } from '../../security/paths/physical-path.ts';
import { isCredentialPath } from '../../security/danger/danger-targets.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { privatePlaceOf } from '../../security/paths/private-places.ts';
import { type Argument, segmentArguments, readsOf, writesOf } from '../../security/shell/segment-facts.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { programName } from '../../security/shell/shell-word.ts';
import { dangersOfFile } from '../define/file-rules.ts';
import { realPathOf } from '../git/program-place.ts';
import { expandGlob } from './expand-glob.ts';
import { type ExpandedWord, expandWord } from './expand-word.ts';
import { editFact } from '../define/held-files.ts';
import { searchedFiles } from './searched-folders.ts';
import { locate, pathFact, type PathFact } from '../define/tool-path.ts';

export interface ShellReach {
  readonly paths: readonly PathFact[];
  readonly dangers: NonNullable<CallFacts['dangers']>;
  /** True if it leaves the roots. */
  readonly isOutside: boolean;
}

type Danger = ShellReach['dangers'][number];

/** The reach of one segment, which runs in the context's folder. */
export async function segmentReach(segment: Segment, unit: string, context: ToolContext): Promise<ShellReach> {
  const paths: PathFact[] = [];
  const dangers: Danger[] = [];
  const add = (severity: Danger['severity'], rule: string, reason: string) =>
    dangers.push({ rule, severity, reason, ...(unit !== '' && { unit }) });
  const redirected = new Set<string>();
  for (const { kind, target, dynamic } of segment.redirects) {
    if (kind === 'read' || isDevice(target)) continue;
    redirected.add(target);
    const place = expandWord({ text: target, dynamic }, context.cwd);
    if (dynamic && (place === undefined || place.isWild))
      add('ask', 'unknown-target', `It writes to ${target}, a path known only at run time.`);
    else if (isTemporary(target))
      add('ask', 'write-outside', `It writes to ${target}, outside the session's folders.`);
    else paths.push(await editFact(place?.pattern ?? target, context));
  }
  const written = writesOf(segment).filter(({ text }) => !redirected.has(text));
  for (const target of written) {
    const place = expandWord(target, context.cwd) ?? plainFile(target, context.cwd);
    if (place === undefined || isDevice(place.pattern)) continue;
    const verdict = await locate(fixedPart(place), context);
    if (verdict.type === 'inside') {
      const fact = await pathFact(place.pattern, 'write', context);
      if (fact.inside && fact.protects !== undefined) paths.push(fact);
    } else if (isTemporary(place.pattern))
      add('ask', 'write-outside', `It writes to ${place.pattern}, outside the session's folders.`);
    else paths.push({ path: place.pattern, access: 'write', inside: false });
  }
  const writes = new Set(written.map(({ text }) => text));
  for (const word of [...readsOf(segment), ...assignedWords(segment)]) {
    const place = expandWord(word, context.cwd);
    if (place === undefined || isDevice(place.pattern)) continue;
    if (isPrivate(place, context.roots))
      add(
        'deny',
        'private-place',
        `${word.text} may be a file with credentials, which no agent may read or change.`,
      );
    if (writes.has(word.text) || redirected.has(word.text)) continue;
    if (await isOutside(place, segment, context))
      add('ask', 'read-outside', `It accesses ${place.pattern}, outside the session's folders.`);
    else if (await couldBeSecret(word, place, context))
      add('ask', 'read-credentials', `${word.text} matches a file that stores keys or passwords.`);
  }
  // The verdict of a rule for a named file says more than that for a search.
  const ruled = [...(await searchedFiles(segment, context)), ...ruledFiles(segment, context)];
  const byRule = new Map(ruled.map((danger) => [danger.rule, danger]));
  dangers.push(...[...byRule.values()].map((danger) => ({ ...danger, ...(unit !== '' && { unit }) })));
  const left = paths.some(({ inside }) => !inside) || dangers.some(({ rule }) => LEAVES.has(rule));
  return { paths, dangers, isOutside: left };
}

function ruledFiles(segment: Segment, context: ToolContext): readonly Danger[] {
  if (context.fileRules === undefined || context.fileRules.length === 0) return [];
  const named = (words: readonly Argument[], use: FileUse) =>
    words.flatMap((word) => {
      const place = expandWord(word, context.cwd) ?? bareName(word, segment, context.cwd);
      return place === undefined ? [] : dangersOfFile(place.pattern, use, context);
    });
  const reads = [...readsOf(segment), ...recordedFiles(segment)];
  return [...named(reads, 'read'), ...named(writesOf(segment), 'change')];
}

/** As in `git show HEAD~1:src/a.ts`. */
function recordedFiles(segment: Segment): readonly Argument[] {
  if (programName(segment.words[0]) !== 'git') return [];
  return segmentArguments(segment).flatMap(({ text, dynamic }) => {
    const [, file] = /^[^:]*:(?:[0-3]:)?(?!\/)(.+)$/s.exec(text) ?? [];
    return file === undefined ? [] : [{ text: `./${file}`, dynamic }];
  });
}

/** `npm run build` doesn't name the folder `build`. */
function bareName(word: Argument, segment: Segment, cwd: string): ExpandedWord | undefined {
  const place = plainFile(word, cwd);
  if (place === undefined || word.text.startsWith('-')) return undefined;
  const stats = statSync(place.pattern, { throwIfNoEntry: false });
  const isNamed = stats?.isDirectory() !== true || FOLDER_READERS.has(programName(segment.words[0]));
  return isNamed ? place : undefined;
}

const FOLDER_READERS: ReadonlySet<string> = new Set(
  'cd pushd ls cat grep egrep fgrep rg find cp mv rm rsync scp tar zip diff du tree chmod chown ln'.split(' '),
);

const LEAVES: ReadonlySet<string> = new Set(['write-outside', 'read-outside', 'private-place']);

/** A value may also be a path, as in `GIT_DIR=/elsewhere`. */
function assignedWords({ assignments }: Segment): readonly Argument[] {
  return assignments.map(({ value, dynamic }) => ({ text: value, dynamic }));
}

function isPrivate(place: ExpandedWord, roots: readonly string[]): boolean {
  if (privatePlaceOf(place.pattern, roots) !== undefined) return true;
  const real = place.isWild ? undefined : realPathOf(place.pattern);
  return real !== undefined && privatePlaceOf(real, roots) !== undefined;
}

/** An argument that only looks like a path, such as a regular expression, doesn't name an existing file. */
async function isOutside(place: ExpandedWord, segment: Segment, context: ToolContext): Promise<boolean> {
  const { pattern } = place;
  const verdict = await locate(fixedPart(place), context);
  if (verdict.type === 'inside') return false;
  return place.isWild || place.isExpanded || existsSync(pattern) || isFolderChange(segment);
}

/** Expands wildcards: their current matches are what a program would read. */
async function couldBeSecret(
  { text, dynamic }: Argument,
  place: ExpandedWord,
  context: ToolContext,
): Promise<boolean> {
  if (!dynamic || !place.isWild) return false;
  const pieces = [...place.pattern.matchAll(/\*+|\?|[^*?]+/g)].map(([piece]) =>
    piece === '?'
      ? ({ type: 'one' } as const)
      : piece.startsWith('*')
        ? ({ type: 'star' } as const)
        : ({ type: 'literal', text: piece } as const),
  );
  const names = (await expandGlob(pieces, context.cwd)) ?? [];
  return names.some((name) => isCredentialPath(name)) || isCredentialPath(text);
}

/** The part of a pattern before its first wildcard. */
function fixedPart({ pattern, isWild }: ExpandedWord): string {
  if (!isWild) return pattern;
  const open = pattern.search(/[*?]/);
  return open === -1 ? pattern : path.dirname(`${pattern.slice(0, open)}x`);
}

/** A program's output file is a path, however it is written. */
function plainFile({ text, dynamic }: Argument, cwd: string): ExpandedWord | undefined {
  return dynamic || text === '' || text === '-'
    ? undefined
    : { pattern: physicalPath(cwd, text), isWild: false, isExpanded: false };
}

function isDevice(target: string): boolean {
  return /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|u?random|fd\/\d+)$/.test(target);
}

function isTemporary(target: string): boolean {
  const absolute = physicalPath('/', target);
  return target.startsWith('/') && [tmpdir(), '/tmp', '/var/tmp'].some((folder) => isBelow(absolute, folder));
}

function isFolderChange(segment: Segment): boolean {
  return ['cd', 'pushd'].includes(segment.words[0] ?? '') && segmentArguments(segment).length > 0;
}
