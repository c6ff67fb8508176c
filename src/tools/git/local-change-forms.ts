/** Which git commands, with which options, change only the local repository and lose nothing. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import type { ToolContext } from '../../ports/tool.ts';
import { heldDeletion } from '../define/held-files.ts';
import { isPlainTransfer } from '../define/plain-transfer.ts';

/** Stands for the branch that `git checkout -` returns to. */
export const PREVIOUS = '-';
export const STASH = 'refs/stash';

interface Form {
  readonly options: RegExp;
  /** The commit whose files it writes. Undefined if it writes none, or those of the current commit. */
  readonly checksOut?: (options: readonly string[], operands: readonly string[]) => string | undefined;
  readonly fits?: (options: readonly string[], operands: readonly string[], folder: string) => boolean;
  /** Options whose value is the next word. */
  readonly takesValue?: RegExp;
  /** Whether it moves or deletes only ordinary files. */
  readonly isOrdinary?: (
    options: readonly string[],
    operands: readonly string[],
    folder: string,
    context: ToolContext,
  ) => Promise<boolean>;
}

const isRefName = (word: string) => /^[\w][\w./@{}~^-]*$/.test(word);
const named = (_: readonly string[], operands: readonly string[]) => operands.every(isRefName);
const one = (_: readonly string[], operands: readonly string[]) =>
  operands.length <= 1 && operands.every(isRefName);
const none = /^$/;
const hasMessage = (options: readonly string[]) => options.some((word) => /^(?:-[a-z]*m|--message)/.test(word));

async function areDeletable(names: readonly string[], folder: string, context: ToolContext): Promise<boolean> {
  // Any other character may be a pattern of git's own.
  if (!names.every((name) => /^[\w@+,./-]+$/.test(name) && existsSync(path.resolve(folder, name)))) return false;
  const held = await Promise.all(names.map((name) => heldDeletion(path.resolve(folder, name), context)));
  return held.every((deletion) => deletion?.ignored.length === 0);
}

/** `-c` and `-b` without a starting point stay at the current commit. */
function branch(options: readonly string[], operands: readonly string[]): string | undefined {
  return options.includes('-') ? PREVIOUS : operands[0];
}

const CREATES = /^(?:-[cb]|--create)$/;
const MESSAGE = /^(?:-[a-z]*m|--message)$/;

export const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['add', { options: /^(?:-[AuvN]+|--all|--update|--verbose|--intent-to-add|--)$/ }],
  [
    'commit',
    {
      options: /^(?:-[amqvs]+|--message(?:=.*)?|--all|--quiet|--verbose|--signoff|--allow-empty|--)$/s,
      // Without a message it starts an editor.
      fits: hasMessage,
      takesValue: MESSAGE,
    },
  ],
  ['switch', { options: /^(?:-[cq]|--create|--quiet|-)$/, checksOut: branch, fits: one, takesValue: CREATES }],
  [
    'checkout',
    {
      options: /^(?:-[bq]|-)$/,
      checksOut: branch,
      // A path instead of a branch discards work.
      fits: (options, operands, folder) =>
        one(options, operands) &&
        (options.includes('-b') ||
          (operands.length === 0 && options.includes('-')) ||
          (operands.length === 1 && !existsSync(path.resolve(folder, operands[0] ?? '')))),
      takesValue: CREATES,
    },
  ],
  [
    'stash',
    {
      options: /^(?:-[ukqm]+|--include-untracked|--keep-index|--quiet|--index|--message(?:=.*)?|--)$/s,
      checksOut: (_, [command = 'push']) => (/^(?:pop|apply)$/.test(command) ? STASH : undefined),
      // Only the newest stash is compared, so only that one may be named.
      fits: (_, [command = 'push', name = 'stash@{0}']) =>
        /^(?:push|list|show|save)$/.test(command) || (/^(?:pop|apply)$/.test(command) && name === 'stash@{0}'),
      takesValue: MESSAGE,
    },
  ],
  [
    'merge',
    {
      options: /^(?:-[mq]|--no-ff|--ff-only|--no-edit|--squash|--quiet|--message(?:=.*)?)$/s,
      checksOut: (_, [source]) => source,
      fits: (_, operands) => operands.length === 1 && operands.every(isRefName),
      takesValue: MESSAGE,
    },
  ],
  ['branch', { options: /^(?:-[dmvq]|--show-current|--list)$/, fits: named }],
  [
    'tag',
    {
      options: /^(?:-[am]|-am|--annotate|--message(?:=.*)?|-l|--list)$/s,
      fits: (options) => !options.some((word) => /^(?:-a|--annotate)$/.test(word)) || hasMessage(options),
      takesValue: MESSAGE,
    },
  ],
  ['cherry-pick', { options: /^-x$/, checksOut: (_, [source]) => source, fits: one }],
  [
    'revert',
    {
      options: /^--no-edit$/,
      checksOut: (_, [source]) => (source === undefined ? undefined : `${source}~1`),
      fits: (options, operands) => options.length > 0 && one(options, operands),
    },
  ],
  ['restore', { options: /^--(?:staged|quiet)?$/, fits: (options) => options.includes('--staged') }],
  ['reset', { options: /^(?:-q|--quiet|--)$/, fits: (_, [first = 'HEAD']) => first === 'HEAD' }],
  [
    'mv',
    {
      options: none,
      isOrdinary: (_, operands, folder, context) =>
        isPlainTransfer(
          'mv',
          operands.map((name) => path.resolve(folder, name)),
          context,
        ),
    },
  ],
  ['worktree', { options: none, fits: (_, operands) => operands.join(' ') === 'list' }],
  [
    'rm',
    {
      options: /^(?:-[rq]+|--cached|--quiet|--)$/,
      isOrdinary: async (options, operands, folder, context) =>
        options.includes('--cached') || (await areDeletable(operands, folder, context)),
    },
  ],
]);
