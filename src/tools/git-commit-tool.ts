import { z } from 'zod';

import type { Tool } from '../runtime/tool.ts';
import { builtinTool } from './builtin-tool.ts';
import { gitFailure, gitFolder, gitText, runGit } from './git-command.ts';
import { failure } from './tool-failure.ts';
import { locate, outsideFailure, pathFact } from './tool-path.ts';

const schema = () =>
  z.strictObject({
    message: z.string().min(1).max(20_000).describe('The commit message.'),
    paths: z
      .array(z.string().min(1))
      .min(1)
      .max(500)
      .optional()
      .describe('Files to stage first, new and deleted ones too. Default: what is staged already.'),
  });

/** Commits on the current branch. Hooks run and may refuse; nothing is pushed, amended or skipped. */
export function createGitCommitTool(): Tool {
  return builtinTool({
    name: 'git_commit',
    description:
      "Commits to the current branch: the given paths, or what is staged. The repository's hooks run. Never pushes.",
    schema,
    describe: async (args, context) => ({
      access: 'execute',
      paths: await Promise.all((args.paths ?? ['.']).map((path) => pathFact(path, 'write', context))),
      grants: ['git_commit'],
      repeat: 'never',
      order: 'exclusive',
      runs: 'tool',
    }),
    run: async (args, context) => {
      const cwd = await gitFolder(undefined, context);
      if (cwd.type === 'error') return cwd;
      for (const path of args.paths ?? []) {
        const verdict = await locate(path, context);
        if (verdict.type === 'outside') return outsideFailure(verdict);
      }
      if (args.paths !== undefined) {
        const added = await gitText(
          { args: ['add', '--all', '--', ...args.paths], cwd, dir: 'repository' },
          context,
        );
        if (typeof added !== 'string') return added;
      }
      const command = ['commit', '--file=-', '--no-edit', '--quiet'];
      const answer = await runGit(
        { args: command, cwd, dir: 'repository', withHooks: true, input: args.message, timeoutMs: 120_000 },
        context,
      );
      if (answer.type !== 'done') return answer;
      if (answer.code !== 0) {
        const nothing = /nothing (?:added )?to commit|no changes added/i.test(answer.stdout + answer.stderr);
        return nothing
          ? failure('nothing-staged', 'Nothing is staged. Name the files to commit in paths.')
          : gitFailure(answer);
      }
      const shown = await gitText(
        {
          args: ['show', '--no-ext-diff', '--no-textconv', '--stat', '--format=%h %s', 'HEAD'],
          cwd,
          dir: 'generated',
        },
        context,
      );
      if (typeof shown !== 'string') return { type: 'success', output: 'Committed.' };
      return { type: 'success', output: shown.trimEnd(), data: { commit: shown.slice(0, shown.indexOf(' ')) } };
    },
  });
}
