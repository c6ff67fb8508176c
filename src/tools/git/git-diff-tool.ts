import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { capText } from '../../processes/captured-output.ts';
import { gitFolder, toolGitText } from './git-command.ts';
import { asCommit, LEFT_OUT } from '../../security/read-only/git-looks.ts';
import { revision } from './git-revision.ts';
import { locate, outsideFailure, pathFact } from '../define/tool-path.ts';

const schema = () =>
  z.strictObject({
    from: revision
      .optional()
      .describe('A commit or branch to compare with. Default: what is staged, else the last commit.'),
    to: revision.optional().describe('A second commit. Default: the working tree.'),
    staged: z.boolean().optional().describe('Show what is staged for the next commit.'),
    paths: z.array(z.string().min(1)).max(100).optional().describe('Only these files or folders.'),
    stat: z.boolean().optional().describe('Only names and how many lines changed.'),
  });

const SHOWN = 60_000;

/** Shows differences between the working tree, the index and commits. */
export function createGitDiffTool(): Tool {
  return builtinTool({
    name: 'git_diff',
    description: 'Shows changes as a unified diff: of the working tree, of what is staged, or between commits.',
    schema,
    describe: async (args, context) => {
      const paths = await Promise.all((args.paths ?? ['.']).map((path) => pathFact(path, 'read', context)));
      return { access: 'read', paths, grants: ['git_diff'], repeat: 'safe', order: 'parallel', runs: 'tool' };
    },
    run: async (args, context) => {
      const cwd = await gitFolder(undefined, context);
      if (cwd.type === 'error') return cwd;
      const targets: { readonly spec: string; readonly isSecret: boolean }[] = [];
      for (const path of args.paths ?? []) {
        const verdict = await locate(path, context);
        if (verdict.type === 'outside') return outsideFailure(verdict);
        targets.push({ spec: `:(literal)${path}`, isSecret: verdict.sensitive !== undefined });
      }
      // A file with keys is shown only if the call names it and was allowed.
      const leftOut = args.stat === true || targets.some(({ isSecret }) => isSecret) ? [] : LEFT_OUT;
      const command = [
        'diff',
        '--no-color',
        ...(args.staged === true ? ['--cached'] : []),
        ...(args.stat === true ? ['--stat'] : []),
        ...(args.from === undefined ? [] : [asCommit(args.from)]),
        ...(args.to === undefined ? [] : [asCommit(args.to)]),
        '--',
        ...targets.map(({ spec }) => spec),
        ...leftOut,
      ];
      const environment = { GIT_LITERAL_PATHSPECS: '0' };
      const text = await toolGitText({ args: command, cwd, dir: 'generated', environment }, context);
      if (typeof text !== 'string') return text;
      const diff = capText(text.trimEnd(), SHOWN);
      return {
        type: 'success',
        output: diff === '' ? '[No difference.]' : diff,
        data: { characters: text.length, truncated: text.length > SHOWN },
      };
    },
  });
}
