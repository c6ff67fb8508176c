import path from 'node:path';

import { z } from 'zod';

import type { GitCommand } from '../../git/git-call.ts';
import { type RepositoryPrograms, repositoryPrograms } from '../../git/repository-programs.ts';
import type { CallFacts } from '../../kernel/call.ts';
import type { SetFact } from '../../kernel/call-set.ts';
import { setGrant } from '../../kernel/policy/set-grant.ts';
import type { Tool, ToolContext } from '../../ports/tool.ts';
import { type CommandSandbox, inSandbox } from '../../security/sandbox/command-sandbox.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { confinedFacts } from '../define/confined-facts.ts';
import { gitFailure, gitFolder, toolGitText, runToolGit } from './git-command.ts';
import { secretDangers } from './secrets-to-stage.ts';
import { failure } from '../define/tool-failure.ts';
import { locate, outsideFailure, pathFact, type PathFact } from '../define/tool-path.ts';

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

/**
 * Commits on the current branch. Hooks run and may refuse. Nothing is pushed, amended or skipped. With a sandbox,
 * hooks and filters run inside it. Without one, the question names them.
 */
export function createGitCommitTool({ sandbox }: { readonly sandbox?: CommandSandbox } = {}): Tool {
  return builtinTool({
    name: 'git_commit',
    description:
      "Commits to the current branch: the given paths, or what is staged. The repository's hooks run. Never pushes.",
    schema,
    describe: async (args, context) => {
      const staging = (args.paths ?? []).map((file) => path.resolve(context.cwd, file));
      const secrets =
        staging.length === 0 ? [] : await secretDangers(context.cwd, { paths: staging, isTrackedOnly: false });
      const facts: CallFacts = {
        access: 'execute',
        ...(secrets.length > 0 && { dangers: secrets }),
        paths: await Promise.all((args.paths ?? ['.']).map((file) => committedFact(file, context))),
        grants: [setGrant(COMMITS, 'repository')],
        repeat: 'never',
        order: 'exclusive',
        runs: 'tool',
      };
      const confined = await confinedFacts(facts, context.roots, sandbox);
      if (confined.confined === true) return confined;
      const dangers = [...secrets, ...programDangers(await repositoryPrograms(context.cwd), context.cwd)];
      return dangers.length === 0 ? facts : { ...facts, dangers };
    },
    run: async (args, context) => {
      const cwd = await gitFolder(undefined, context);
      if (cwd.type === 'error') return cwd;
      for (const path of args.paths ?? []) {
        const verdict = await locate(path, context);
        if (verdict.type === 'outside') return outsideFailure(verdict);
      }
      const notes: string[] = [];
      const writing = {
        cwd,
        dir: 'repository',
        withHooks: true,
        withFilters: true,
        timeoutMs: 120_000,
        confine: async (command: GitCommand) => {
          const ready = await inSandbox({ ...command, profile: 'commits' }, context.roots, sandbox);
          if (ready.type !== 'ready') return ready;
          return {
            ...ready,
            finish: async () => void notes.push(...(await ready.finish()).map(({ note }) => note)),
          };
        },
      } as const;
      if (args.paths !== undefined) {
        const added = await toolGitText({ ...writing, args: ['add', '--all', '--', ...args.paths] }, context);
        if (typeof added !== 'string') return added;
      }
      const command = ['commit', '--file=-', '--no-edit', '--quiet'];
      const answer = await runToolGit({ ...writing, args: command, input: args.message }, context);
      if (answer.type !== 'done') return answer;
      if (answer.code !== 0) {
        const nothing = /nothing (?:added )?to commit|no changes added/i.test(answer.stdout + answer.stderr);
        return nothing
          ? failure('nothing-staged', 'Nothing is staged. List the files to commit in paths.')
          : gitFailure(answer);
      }
      const summary = await toolGitText(
        {
          args: ['show', '--stat', '--format=%h %s', 'HEAD'],
          cwd,
          dir: 'generated',
        },
        context,
      );
      if (typeof summary !== 'string') return { type: 'success', output: 'Committed.' };
      const output = [summary.trimEnd(), ...notes.map((note) => `[${note}]`)].join('\n');
      return { type: 'success', output, data: { commit: summary.slice(0, summary.indexOf(' ')) } };
    },
  });
}

const COMMITS: SetFact = { name: 'commits' };

async function committedFact(file: string, context: ToolContext): Promise<PathFact> {
  const fact = await pathFact(file, 'write', context);
  const isOrdinary = fact.inside && fact.sensitive !== true && fact.protects === undefined;
  return isOrdinary ? { ...fact, set: COMMITS } : fact;
}

/**
 * Without a sandbox, the question always lists the programs that the repository starts: anyone who can change them
 * would run code as the user.
 */
function programDangers({ hooks, filters }: RepositoryPrograms, cwd: string): NonNullable<CallFacts['dangers']> {
  const ask = (rule: string, reason: string) => ({ rule, severity: 'ask', reason }) as const;
  return [
    ...hooks.map(({ file, sha256 }) =>
      ask(
        'git-hooks',
        `runs the hook ${path.relative(cwd, file)} (sha256 ${sha256.slice(0, 16)}) outside a sandbox`,
      ),
    ),
    ...filters.map(({ name, command }) =>
      ask('git-filters', `runs the repository's own filter ${name} (${command}) outside a sandbox`),
    ),
  ];
}
