import path from 'node:path';

import { configuredWorktrees } from '../../assembly/sessions/configured-worktrees.ts';
import { Fault } from '../../kernel/fault.ts';
import { counted } from '../../wording/counted.ts';
import type { Refused } from '../../worktrees/worktree.ts';
import type { Worktrees, WorktreeView } from '../../worktrees/worktrees.ts';
import { parseWords } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { commonOptions, jsonOption } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import type { Row } from '../../wording/table.ts';
import { printTable } from '../print-table.ts';
import { usageError } from '../usage-error.ts';
import { optional } from '../../kernel/optional.ts';

const words = {
  list: 0,
  create: 1,
  diff: 1,
  commit: 1,
  merge: 1,
  review: 1,
  remove: 1,
  release: 1,
  prune: 0,
} as const;

const options = {
  base: { type: 'string', value: 'REV', of: ['create'], help: 'revision to branch from (default: HEAD)' },
  branch: { type: 'string', value: 'NAME', of: ['create'], help: 'branch name (default: rondo/NAME)' },
  message: {
    type: 'string',
    short: 'm',
    value: 'TEXT',
    of: ['commit', 'merge', 'review'],
    help: 'commit message',
  },
  into: {
    type: 'string',
    value: 'BRANCH',
    of: ['merge'],
    help: 'branch to merge into (default: its base)',
  },
  patch: { type: 'boolean', of: ['diff'], help: 'show the patch, too' },
  checkpoint: {
    type: 'boolean',
    of: ['remove'],
    help: 'save uncommitted or unmerged work in a hidden ref first',
  },
  cwd: { type: 'string', value: 'DIR', help: 'folder in the repository (default: this one)' },
  ...jsonOption,
  ...commonOptions,
} as const;

export const worktreesCommand: CliCommand = {
  usage: [
    'worktrees [list]',
    'worktrees create NAME [--base REV] [--branch NAME]',
    'worktrees diff NAME [--patch]',
    'worktrees commit NAME -m TEXT',
    'worktrees merge NAME [--into BRANCH] [-m TEXT]',
    'worktrees review NAME [-m TEXT]',
    'worktrees remove NAME [--checkpoint]',
    'worktrees release NAME',
    'worktrees prune',
  ],
  about: `A worktree is a separate folder for a session: a branch of this repository, checked out elsewhere.
\`rondo run --worktree\` creates one. \`merge\` refuses conflicts and then changes nothing. \`review\` commits pending
changes and shows the state of the branch. \`remove\` refuses while something is uncommitted, unmerged or in use;
--checkpoint saves it in a hidden ref first. \`release\` frees a worktree if Rondo can't tell whether its session is
dead, for example on another machine. \`prune\` unregisters worktrees with missing folders and lists unregistered folders.`,
  options,
  words,
  async run(argv) {
    const { word, values, rest } = parseWords('worktrees', words, options, argv, 'list');
    const [name] = rest;
    const cwd = path.resolve(values.cwd ?? '.');
    const worktrees = configuredWorktrees({ home: homeFolder(), config: (folder) => configOf({ cwd: folder }) });
    const isJson = values.json === true;
    const { message } = values;
    const named = (): string => {
      if (name === undefined || name === '') throw usageError(`which worktree? \`rondo worktrees ${word} NAME\``);
      return name;
    };
    const say = (value: unknown, text: string): number => {
      if (isJson) printJson(value);
      else console.log(text);
      return 0;
    };
    switch (word) {
      case 'list':
        return list(worktrees, cwd, isJson);
      case 'prune':
        return prune(worktrees, cwd, isJson);
      case 'create': {
        const { base, branch } = values;
        const opened = done(
          await worktrees.open({
            cwd,
            name: named(),
            session: `create ${named()}`,
            at: Date.now(),
            ...optional({ base, branch }),
          }),
        );
        await worktrees.leave(opened.cwd, `create ${named()}`);
        const notes = opened.notes.map((note) => `\nNote: ${note}.`).join('');
        const { worktree } = opened;
        return say(
          opened,
          `Worktree ${worktree.name} (branch ${worktree.branch}) is at ${worktree.path}.${notes}`,
        );
      }
      case 'diff': {
        const diff = done(await worktrees.diff(cwd, named(), { patch: values.patch === true }));
        const lines = diff.changes.map(({ path: file, from, status, added, removed, patch }) =>
          patch === undefined
            ? `${status.padEnd(9)} ${from === undefined ? '' : `${from} -> `}${file}${added === undefined ? '' : ` +${added} -${removed ?? 0}`}`
            : patch,
        );
        return say(diff, lines.length === 0 ? 'No changes' : lines.join('\n').trimEnd());
      }
      case 'commit': {
        if (message === undefined) throw usageError('a message is missing: -m TEXT');
        const committed = done(await worktrees.commit(cwd, named(), message));
        return say(
          committed,
          `Committed ${counted(committed.files.length, 'file')} as ${committed.commit.slice(0, 12)}.`,
        );
      }
      case 'merge': {
        const { into } = values;
        const merged = done(
          await worktrees.merge(cwd, named(), {
            ...optional({ into, message }),
          }),
        );
        return say(merged, `${merged.into} is at ${merged.commit.slice(0, 12)} (${merged.how}).`);
      }
      case 'review': {
        const review = done(await worktrees.review(cwd, named(), message ?? `Work in ${named()}`));
        const { branch, base, ahead, behind, files, conflicts } = review;
        const how =
          conflicts.length === 0
            ? `It merges cleanly into ${base ?? 'its base'}.`
            : `It conflicts with ${base ?? 'its base'} in ${conflicts.join(', ')}.`;
        return say(
          review,
          `Branch ${branch}: ${counted(ahead, 'commit')}, ${counted(files, 'file')}, ${behind} behind. ${how}\nPush it with: git push -u origin ${branch}`,
        );
      }
      case 'remove': {
        const wanted = { withCheckpoint: values.checkpoint === true, at: Date.now() };
        const removed = done(await worktrees.remove(cwd, named(), wanted));
        const kept = removed.checkpoint === undefined ? '' : ` Its work is saved in ${removed.checkpoint}.`;
        return say(removed, `Removed worktree ${removed.name}; branch ${removed.branch}.${kept}`);
      }
      case 'release': {
        const released = await worktrees.release(cwd, named());
        if (typeof released !== 'boolean') throw problem(released);
        return say(
          { released },
          released ? `Released worktree ${named()}.` : `Worktree ${named()} wasn't in use.`,
        );
      }
    }
  },
};

async function list(worktrees: Worktrees, cwd: string, isJson: boolean): Promise<number> {
  const views = await worktrees.list(cwd);
  if ('type' in views) throw problem(views);
  if (isJson) printJson({ worktrees: views });
  else printViews(views);
  return 0;
}

async function prune(worktrees: Worktrees, cwd: string, isJson: boolean): Promise<number> {
  const result = await worktrees.reconcile(cwd, Date.now());
  if ('type' in result) throw problem(result);
  if (isJson) printJson(result);
  else {
    for (const name of result.adopted) console.log(`Registered again: ${name}`);
    for (const name of result.forgotten) console.log(`Unregistered (folder missing, branch kept): ${name}`);
    for (const folder of result.orphans) console.log(`Not registered, left unchanged: ${folder}`);
  }
  return 0;
}

function printViews(views: readonly WorktreeView[]): void {
  const columns = [
    'name',
    'branch',
    'state',
    { title: 'uncommitted', align: 'right' },
    { title: 'ahead', align: 'right' },
    { title: 'behind', align: 'right' },
    { title: 'folder', gives: true },
  ] as const;
  const rows = views.map((view): Row => [
    view.name,
    view.branch,
    view.lease === undefined ? view.state : { text: `in use by ${view.lease.session}`, tone: 'good' },
    String(view.uncommitted),
    String(view.ahead),
    String(view.behind),
    view.path,
  ]);
  printTable(columns, rows, 'No worktrees. Create one with `rondo run --worktree`.');
}

function done<Done extends { readonly type: string }>(answer: Done | Refused): Done {
  if (answer.type === 'refused') throw problem(answer as Refused);
  return answer as Done;
}

function problem({ code, message }: Refused): Fault {
  const isMistaken =
    code === 'no-worktree' || code === 'no-repository' || code === 'bad-name' || code === 'no-base';
  return new Fault(isMistaken ? 'not-found' : 'process', message);
}
