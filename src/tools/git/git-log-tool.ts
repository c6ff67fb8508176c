import { z } from 'zod';

import { previewOf } from '../../kernel/content.ts';
import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { gitFolder, toolGitText } from './git-command.ts';
import { revision } from './git-revision.ts';
import { locate, outsideFailure, pathFact } from '../define/tool-path.ts';

const schema = () =>
  z.strictObject({
    limit: z.int().min(1).max(200).optional().describe('How many commits. Default 20.'),
    revision: revision.optional().describe('Where to begin. Default: the current branch.'),
    path: z.string().min(1).optional().describe('Only commits that touched this file or folder.'),
    full: z.boolean().optional().describe('With whole messages and the names of changed files.'),
  });

/** Lists the commits of a branch, newest first. */
export function createGitLogTool(): Tool {
  return builtinTool({
    name: 'git_log',
    description: 'Lists commits, newest first, with author, date and message.',
    schema,
    describe: async (args, context) => ({
      access: 'read',
      paths: [await pathFact(args.path ?? '.', 'read', context)],
      grants: ['git_log'],
      repeat: 'safe',
      order: 'parallel',
      runs: 'tool',
    }),
    run: async (args, context) => {
      const cwd = await gitFolder(undefined, context);
      if (cwd.type === 'error') return cwd;
      const target = args.path === undefined ? undefined : await locate(args.path, context);
      if (target?.type === 'outside') return outsideFailure(target);
      const command = [
        'log',
        '--no-color',
        `--max-count=${args.limit ?? 20}`,
        '--date=iso-strict',
        ...(args.full === true ? ['--format=%h %ad %an%n%n%B', '--name-status'] : ['--format=%h %ad %an: %s']),
        ...(args.revision === undefined ? [] : [args.revision]),
        '--',
        ...(args.path === undefined ? [] : [args.path]),
      ];
      const text = await toolGitText({ args: command, cwd, dir: 'generated' }, context);
      if (typeof text !== 'string') {
        const isNew = text.type === 'error' && /does not have any commits/.test(previewOf(text.message));
        return isNew ? { type: 'success', output: '[No commits yet.]' } : text;
      }
      return { type: 'success', output: text.trim() === '' ? '[No commits.]' : text.trimEnd() };
    },
  });
}
