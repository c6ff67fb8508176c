import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { gitFolder, toolGitText } from './git-command.ts';
import { searchFacts } from '../search/search-start.ts';

const schema = () =>
  z.strictObject({
    path: z.string().min(1).optional().describe('A folder in the repository. Default: the working directory.'),
  });

/** Shows the branch and the changes in the working tree. */
export function createGitStatusTool(): Tool {
  return builtinTool({
    name: 'git_status',
    description: 'Shows the current branch and which files are changed, staged or untracked.',
    schema,
    describe: (args, context) => searchFacts('git_status', args.path, context),
    run: async (args, context) => {
      const cwd = await gitFolder(args.path, context);
      if (cwd.type === 'error') return cwd;
      const command = ['status', '--porcelain=v1', '--branch', '--untracked-files=all'];
      const text = await toolGitText({ args: command, cwd, dir: 'generated' }, context);
      if (typeof text !== 'string') return text;
      const [branch = '', ...changes] = text.trimEnd().split('\n');
      return {
        type: 'success',
        output: changes.length === 0 ? `${branch}\nNothing has changed.` : text.trimEnd(),
        data: { branch: branch.replace(/^## /, ''), changes: changes.length },
      };
    },
  });
}
