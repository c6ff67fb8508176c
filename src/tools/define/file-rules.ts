/**
 * Deny and ask rules on files, such as `read(secrets/**)`, for tools that reach the same files in another way: a
 * command that names one, or a search. They become dangers of the call, so no other rule or grant lifts them.
 *
 * 1. A word names a file through any wildcard that could match it, and through a link.
 * 2. It also names a folder all of whose files are covered, but not a folder that merely contains one of them: a
 *    command that searches such a folder asks (`searched-folders.ts`).
 */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

import type { CallFacts } from '../../kernel/call.ts';
import { fileUseOf, type FileUse } from '../../kernel/policy/file-rules.ts';
import { ruleToText, type Rule } from '../../kernel/rule.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { globsOverlap } from '../../security/paths/glob-overlap.ts';

type Danger = NonNullable<CallFacts['dangers']>[number];

/** What the rules say about using a place: an absolute path, maybe with wildcards. */
export function dangersOfFile(place: string, use: FileUse, context: ToolContext): readonly Danger[] {
  const { fileRules = [] } = context;
  if (fileRules.length === 0) return [];
  const places = [place, realOf(place)].filter((one) => one !== undefined);
  return fileRules.flatMap((rule): readonly Danger[] => {
    const { verdict, origin } = rule;
    const isCovered = places.some((one) => covers(rule, one, context.roots));
    if (verdict === 'allow' || fileUseOf(rule) !== use || !isCovered) return [];
    const text = ruleToText(rule);
    const does = verdict === 'deny' ? 'denies' : 'asks about';
    return [{ rule: text, severity: verdict, reason: `The ${origin} rule ${text} ${does} this.` }];
  });
}

/** Patterns of the files that a search may not read. */
export function unreadableFiles({ fileRules = [], roots }: ToolContext): readonly string[] {
  return fileRules.filter((rule) => fileUseOf(rule) === 'read').flatMap((rule) => patternsOf(rule, roots));
}

function covers(rule: Rule, place: string, roots: readonly string[]): boolean {
  return patternsOf(rule, roots).some(
    (pattern) => globsOverlap(place, pattern) || globsOverlap(`${place}/`, pattern),
  );
}

/** As absolute patterns. A `**` folder also stands for no folder. */
export function patternsOf({ pattern = '' }: Rule, roots: readonly string[]): readonly string[] {
  const plain = pattern.replace(/^=/, '').replace(/^~(?=\/)/, homedir());
  const absolute = path.isAbsolute(plain) ? [plain] : roots.map((root) => `${root}/${plain}`);
  return absolute.flatMap((one) => (one.includes('/**/') ? [one, one.replaceAll('/**/', '/')] : [one]));
}

function realOf(place: string): string | undefined {
  try {
    const real = realpathSync(place);
    return real === place ? undefined : real;
  } catch {
    return undefined;
  }
}
