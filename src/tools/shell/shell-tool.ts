import { z } from 'zod';

import type { CallFacts } from '../../kernel/call.ts';
import { optional } from '../../kernel/optional.ts';
import type { Tool, ToolContext, ToolRun } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { childEnvironment } from '../../processes/child-environment.ts';
import { runChild } from '../../processes/child-process.ts';
import { machineShell } from '../../processes/machine-shell.ts';
import { isConfined, type CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import { installsPackages, REGISTRIES } from '../../security/sandbox/package-registries.ts';
import { parseCommand } from '../../security/shell/parse-command.ts';
import { confinedFacts } from '../define/confined-facts.ts';
import { withFollowUps } from './follow-ups.ts';
import { discardsFilesOnly } from './discarded-work.ts';
import { plainGit } from '../git/plain-git.ts';
import { sandboxHints } from './sandbox-hints.ts';
import { sandboxed } from './sandboxed-command.ts';
import { readOnlySteps } from './read-only-steps.ts';
import { runReadOnly } from './run-read-only.ts';
import { shellFacts } from './shell-facts.ts';
import { holdSteering } from './steering-files.ts';
import { failure } from '../define/tool-failure.ts';
import { locate, outsideFailure, displayPath } from '../define/tool-path.ts';
import type { Environment } from '../../ports/environment.ts';
import { CHANGED, decodedProgress, shellResult } from './shell-result.ts';

const LONGEST = 600_000;

const schema = () =>
  z.strictObject({
    command: z.string().min(1).max(100_000).describe('The command line, run by the shell.'),
    cwd: z.string().min(1).optional().describe('Where to run it. Default: the working directory.'),
    timeout_ms: z
      .int()
      .min(100)
      .max(LONGEST)
      .optional()
      .describe('After this time the command and all it started are ended.'),
    unconfined: z
      .boolean()
      .optional()
      .describe('Run outside the sandbox, for the network, docker or ssh. A person decides.'),
    suggest: z.boolean().optional().describe('Run nothing; only show the command to the person.'),
  });

export interface ShellOptions {
  /** `suggest`: shows commands and never runs them. */
  readonly mode?: 'run' | 'suggest';
  readonly timeoutMs?: number;
  /** The bytes to keep of each stream. The session moves long output into a blob. */
  readonly outputBytes?: number;
  /** Names of additional environment variables for commands. */
  readonly allowEnvironment?: readonly string[];
  readonly sandbox?: CommandSandbox;
  /** The source of the environment. Default: this process. */
  readonly environment?: Environment;
}

const DEFAULT_TIMEOUT = 60_000;
const DEFAULT_KEPT = 1_000_000;

/** Runs a command line in a shell. The whole process tree ends with the call. */
export function createShellTool(options: ShellOptions = {}): Tool {
  const shell = machineShell();
  const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT;
  return builtinTool({
    name: 'shell',
    description:
      `Runs a command line with ${shell.name}, without a terminal and without input. ` +
      `It is ended after ${timeout / 1000} s unless timeout_ms says otherwise; nothing it starts outlives it. ` +
      'Prefer read, grep, glob, list and edit for files.',
    schema,
    describe: (args, context) => {
      if (isSuggestion(args, options)) return { access: 'talk', repeat: 'safe', order: 'parallel', runs: 'tool' };
      return describeCommand(args, shell.name, context, sandboxFor(args, options));
    },
    run: async (args, context) => {
      if (isSuggestion(args, options)) {
        return {
          type: 'success',
          output: `Suggested, not run:\n${args.command}`,
          data: { suggested: true, command: args.command },
        };
      }
      const cwd = await locate(args.cwd ?? '.', context);
      if (cwd.type === 'outside') return outsideFailure(cwd);
      const limit = args.timeout_ms ?? timeout;
      const progress = decodedProgress(context);
      const outputBytes = options.outputBytes ?? DEFAULT_KEPT;
      if (isFree(context)) {
        // It was allowed without approval because it only reads, so it runs without a shell or not at all.
        const steps = await readOnlySteps(args.command, { ...context, cwd: cwd.real });
        if (steps === undefined) return failure('changed', CHANGED, { retryable: true });
        const { sandbox } = options;
        const ran = await runReadOnly(steps, context, {
          timeoutMs: limit,
          outputBytes,
          ...optional({ sandbox }),
          onOutput: progress,
        });
        return 'outcome' in ran ? shellResult(ran, { limit, cwd: displayPath(cwd), notes: [] }) : ran;
      }
      const environment = childEnvironment(options.environment ?? process.env, {
        allow: options.allowEnvironment ?? [],
      });
      const argv = [shell.path, ...shell.flags, '-c', args.command];
      const { profile } = plainGit(args.command, shell.name);
      // Files that git checks out were committed before. Any other change was made by this command.
      const steering = profile === 'checkouts' ? undefined : await holdSteering(context);
      const wrapped = await sandboxed(
        { argv, env: environment, cwd: cwd.real, profile },
        context,
        sandboxFor(args, options, context.facts),
      );
      if (wrapped.type !== 'ready') return wrapped;
      const [program = shell.path, ...rest] = wrapped.argv;
      const result = await runChild({
        command: program,
        args: rest,
        cwd: cwd.real,
        environment: wrapped.env,
        marker: { session: context.session, epoch: context.epoch, effect: context.effect },
        signal: context.signal,
        timeoutMs: limit,
        outputBytes,
        onOutput: progress,
      });
      const undone = [...(await wrapped.finish()), ...((await steering?.restore()) ?? [])];
      const notes = [...undone.map(({ note }) => note), ...(wrapped.isConfined ? sandboxHints(result) : [])];
      return withFollowUps(shellResult(result, { limit, cwd: displayPath(cwd), notes }), undone, context);
    },
  });
}

/** A sandbox required by the configuration applies to every command. */
function sandboxFor(
  args: z.output<ReturnType<typeof schema>>,
  { sandbox }: ShellOptions,
  facts?: CallFacts,
): CommandSandbox | undefined {
  if (args.unconfined === true && sandbox?.level === 'auto') return { ...sandbox, level: 'none' };
  // The policy checked this with the call, so it was allowed.
  const port = facts?.urls?.includes(REGISTRIES) === true ? sandbox?.registries : undefined;
  return sandbox === undefined || port === undefined ? sandbox : { ...sandbox, port, hasHosts: true };
}

async function describeCommand(
  { command, cwd }: z.output<ReturnType<typeof schema>>,
  shell: 'bash' | 'sh',
  context: ToolContext,
  sandbox: CommandSandbox | undefined,
): Promise<CallFacts> {
  const facts = await shellFacts(
    command,
    { shell, cwd, isSandboxed: await isConfined(context.roots, sandbox) },
    context,
  );
  const skipped = plainGit(command, shell).skipsHooks ? [SKIPS_HOOKS] : [];
  const known = skipped.length === 0 ? facts : { ...facts, dangers: [...(facts.dangers ?? []), ...skipped] };
  const confined = await confinedFacts(known, context.roots, sandbox);
  const parsed = parseCommand(command, { shell });
  const isDiscard =
    confined.confined === true &&
    confined.dangers?.some(({ rule }) => rule === 'git-discard') === true &&
    parsed.type === 'parsed' &&
    discardsFilesOnly(parsed.segments);
  const installs =
    confined.confined === true &&
    sandbox?.registries !== undefined &&
    parsed.type === 'parsed' &&
    parsed.segments.some(installsPackages);
  return {
    ...(isDiscard ? await withoutLoss(confined, context) : confined),
    ...(installs && {
      urls: [REGISTRIES],
      grants: (confined.dangers ?? []).length > 0 ? [] : [`shell(${REGISTRIES})`],
    }),
  };
}

/** Files in a checkpoint taken right before the call don't count as lost (S8e). */
async function withoutLoss(facts: CallFacts, { keepsFiles }: ToolContext): Promise<CallFacts> {
  if ((await keepsFiles?.()) !== true) return { ...facts, discards: 'asked' };
  const { dangers = [], ...rest } = facts;
  const left = dangers.filter(({ rule }) => rule !== 'git-discard');
  return { ...rest, ...(left.length > 0 && { dangers: left }), discards: 'kept' };
}

const SKIPS_HOOKS = {
  rule: 'skip-hooks',
  severity: 'ask',
  reason: "commits without the repository's hooks",
} as const;

function isSuggestion(args: z.output<ReturnType<typeof schema>>, options: ShellOptions): boolean {
  return options.mode === 'suggest' || args.suggest === true;
}

function isFree({ facts }: ToolRun): boolean {
  const segments = facts?.segments ?? [];
  return segments.length > 0 && segments.every(({ free }) => free === true);
}
