/**
 * Commands that read all files of a folder, such as `grep -r x .`: one that reaches a file which a deny or ask rule
 * keeps from being read needs approval. The rule's own verdict would stop every search at the top of a project.
 */
import { type Dirent, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import type { CallFacts } from '../../kernel/call.ts';
import { fileUseOf } from '../../kernel/policy/file-rules.ts';
import { matchesPattern, ruleToText } from '../../kernel/rule.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { gitWords } from '../../security/shell/git-words.ts';
import { type Argument, hasOption, targetsOf } from '../../security/shell/segment-facts.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { programName } from '../../security/shell/shell-word.ts';
import { dangersOfFile, patternsOf } from '../define/file-rules.ts';
import { expandWord } from './expand-word.ts';

type Danger = NonNullable<CallFacts['dangers']>[number];

export async function searchedFiles(segment: Segment, context: ToolContext): Promise<readonly Danger[]> {
  const rules = (context.fileRules ?? []).filter((rule) => fileUseOf(rule) === 'read');
  if (rules.length === 0 || !readsFolders(segment)) return [];
  const skipsHidden = isFindingTool(segment) && !hasOption(segment, 'u.', '--hidden', '--unrestricted');
  const folders = searchedFolders(segment, context.cwd);
  const dangers = folders.flatMap((folder) => dangersOfFile(folder, 'read', context));
  const entriesOf = rememberedEntries(skipsHidden);
  for (const folder of folders) {
    for (const rule of rules) {
      const text = ruleToText(rule);
      if (dangers.some((danger) => danger.rule === text)) continue;
      const match = await firstBelow(folder, patternsOf(rule, context.roots), entriesOf);
      if (match === undefined || (skipsHidden && /(?:^|\/)\./.test(path.relative(folder, match)))) continue;
      const about =
        match === 'too-many' ? 'that may hold a file that' : `with ${path.relative(context.cwd, match)}, which`;
      const verb = rule.verdict === 'deny' ? 'denies' : 'asks about';
      const reason = `It searches a folder ${about} the ${rule.origin} rule ${text} ${verb}.`;
      dangers.push({ rule: text, severity: 'ask', reason });
    }
  }
  return dangers;
}

const GREP: [string, ...string[]] = ['rRd', '--recursive', '--dereference-recursive', '--directories'];
/** Options with which a program reads all files of a folder: short letters, then long names. */
const recursive: ReadonlyMap<string, readonly [string, ...string[]]> = new Map<string, [string, ...string[]]>([
  ['grep', GREP],
  ['egrep', GREP],
  ['fgrep', GREP],
  ['zgrep', GREP],
  ['cp', ['rRa', '--recursive', '--archive']],
  ['diff', ['r', '--recursive']],
  ['rsync', ['ra', '--recursive', '--archive']],
  ['scp', ['r']],
  ['tar', ['cru', '--create', '--append', '--update']],
  ['zip', ['r', '--recurse-paths']],
]);

function readsFolders(segment: Segment): boolean {
  const program = programName(segment.words[0]);
  if (program === 'find') return segment.words.some((word) => /^-(?:exec|ok)(?:dir)?$/.test(word));
  if (program === 'rgrep' || isFindingTool(segment) || gitWords(segment)[0] === 'grep') return true;
  if (program === 'tar' && /^[a-zA-Z]*[cru]/.test(segment.words[1] ?? '')) return true;
  const options = recursive.get(program);
  return options !== undefined && hasOption(segment, ...options);
}

/** These search the current folder unless told otherwise, and leave out hidden files. */
function isFindingTool(segment: Segment): boolean {
  return ['rg', 'ag', 'ack'].includes(programName(segment.words[0]));
}

/** The first word of a search is usually what it looks for. It counts too if there is such a folder. */
function searchedFolders(segment: Segment, cwd: string): readonly string[] {
  const places = targetsOf(segment).flatMap((word) => placeOf(word, cwd));
  if (places.length > 0) return places.filter((place) => isFolder(place));
  const isFed = isFindingTool(segment) && (segment.pipe?.stage ?? 0) > 0;
  return isFed ? [] : [cwd];
}

/** The existing path, or the folder of a wildcard. */
function placeOf(word: Argument, cwd: string): readonly string[] {
  const place = expandWord(word, cwd)?.pattern ?? path.resolve(cwd, word.text);
  const open = place.search(/[*?]/);
  if (word.dynamic && open !== -1) return [path.dirname(`${place.slice(0, open)}x`)];
  return statSync(place, { throwIfNoEntry: false }) === undefined ? [] : [place];
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

const MOST_ENTRIES = 20_000;
/** Too large to look through, and not where people keep what they deny. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

type EntriesOf = (folder: string) => Promise<readonly Dirent[]>;

/** Several rules look at the same folders. */
function rememberedEntries(skipsHidden: boolean): EntriesOf {
  const known = new Map<string, Promise<readonly Dirent[]>>();
  const read = async (folder: string) => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    return entries.filter(({ name }) => !SKIPPED.has(name) && !(skipsHidden && name.startsWith('.')));
  };
  return (folder) => {
    const entries = known.get(folder) ?? read(folder);
    known.set(folder, entries);
    return entries;
  };
}

/** The first file below the folder that one of the patterns covers. */
async function firstBelow(
  folder: string,
  patterns: readonly string[],
  entriesOf: EntriesOf,
): Promise<string | undefined> {
  for (const pattern of patterns) {
    const name = path.basename(pattern);
    const fixed = path.dirname(pattern.replace(/[*?].*/s, 'x'));
    const pending = isBelow(folder, fixed) ? [folder] : isBelow(fixed, folder) ? [fixed] : [];
    let seen = 0;
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const entry of await entriesOf(at)) {
        if ((seen += 1) > MOST_ENTRIES) return 'too-many';
        const file = path.join(at, entry.name);
        if (!entry.isDirectory()) {
          if (matchesPattern(name, entry.name, 'parts') && matchesPattern(pattern, file, 'parts')) return file;
        } else if (pattern.includes('*')) pending.push(file);
      }
    }
  }
  return undefined;
}
