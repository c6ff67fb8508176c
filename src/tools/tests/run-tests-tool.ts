import { StringDecoder } from 'node:string_decoder';

import { z } from 'zod';

import type { CallFacts } from '../../kernel/call.ts';
import type { ToolResult } from '../../kernel/outcome.ts';
import { setGrant } from '../../kernel/policy/set-grant.ts';
import { ruleToText } from '../../kernel/rule.ts';
import type { Tool } from '../../ports/tool.ts';
import { type CommandSandbox, isConfined } from '../../security/sandbox/command-sandbox.ts';
import { joinWords, staticWord } from '../../security/shell/shell-word.ts';
import { builtinTool, problemFacts } from '../define/builtin-tool.ts';
import { capText } from '../../processes/captured-output.ts';
import { childEnvironment } from '../../processes/child-environment.ts';
import { type ChildResult, runChild } from '../../processes/child-process.ts';
import { confinedFacts } from '../define/confined-facts.ts';
import { sandboxed } from '../shell/sandboxed-command.ts';
import { shellFacts } from '../shell/shell-facts.ts';
import { withFollowUps } from '../shell/follow-ups.ts';
import { holdSteering } from '../shell/steering-files.ts';
import { findTestCommand, TEST_MARKERS, type TestCommand } from './test-frameworks.ts';
import { summarizeTests } from './test-summary.ts';
import { failure } from '../define/tool-failure.ts';
import { locate, outsideFailure } from '../define/tool-path.ts';
import { optional } from '../../kernel/optional.ts';

const schema = () =>
  z.strictObject({
    path: z.string().min(1).optional().describe('The folder of the project. Default: the working directory.'),
    filter: z
      .string()
      .min(1)
      .max(500)
      .refine((text) => !text.startsWith('-'), 'must not begin with a dash')
      .optional()
      .describe('Only tests whose name or file matches, as the test program understands it.'),
    timeout_ms: z.int().min(1_000).max(1_800_000).optional().describe('Default 5 minutes.'),
  });

const DEFAULT_TIMEOUT = 300_000;

/** Runs the project's tests and summarizes the failures. Tests are meant to be rerun, so it may be retried. */
export function createRunTestsTool({ sandbox }: { readonly sandbox?: CommandSandbox } = {}): Tool {
  return builtinTool({
    name: 'run_tests',
    description:
      "Runs the project's tests with whatever it uses (npm, pytest, cargo, go, maven, gradle, make) and summarizes the failures.",
    schema,
    describe: async (args, context) => {
      const folder = await locate(args.path ?? '.', context);
      if (folder.type === 'outside') return problemFacts(folder.code, folder.message);
      const tests = findTestCommand(folder.real, args.filter);
      if (tests === undefined) return problemFacts('no-tests', noTests());
      const isSandboxed = await isConfined(context.roots, sandbox);
      const { dangers, segments, paths } = await shellFacts(
        commandLine(tests),
        { shell: 'bash', cwd: args.path, isSandboxed },
        context,
      );
      const facts: CallFacts = {
        access: 'execute',
        ...optional({ segments, paths, dangers }),
        grants: testGrants(segments, dangers),
        repeat: 'safe',
        order: 'exclusive',
        runs: 'tool',
      };
      return confinedFacts(facts, context.roots, sandbox);
    },
    run: async (args, context) => {
      const folder = await locate(args.path ?? '.', context);
      if (folder.type === 'outside') return outsideFailure(folder);
      const tests = findTestCommand(folder.real, args.filter);
      if (tests === undefined) return failure('no-tests', noTests());
      const env = childEnvironment(process.env, { set: { CI: '1' } });
      const steering = await holdSteering(context);
      const wrapped = await sandboxed({ argv: tests.argv, env, cwd: folder.real }, context, sandbox);
      if (wrapped.type !== 'ready') return wrapped;
      const [command = '', ...rest] = wrapped.argv;
      const decoder = new StringDecoder('utf8');
      const timeoutMs = args.timeout_ms ?? DEFAULT_TIMEOUT;
      const result = await runChild({
        command,
        args: rest,
        cwd: folder.real,
        environment: wrapped.env,
        marker: { session: context.session, epoch: context.epoch, effect: context.effect },
        signal: context.signal,
        timeoutMs,
        outputBytes: 1_000_000,
        onOutput: (_, chunk) => context.progress(decoder.write(chunk)),
      });
      const undone = [...(await wrapped.finish()), ...(await steering.restore())];
      const notes = undone.map(({ note }) => note);
      return withFollowUps(testResult(tests, result, { timeoutMs, notes }), undone, context);
    },
  });
}

function commandLine({ argv }: TestCommand): string {
  return joinWords(argv.map(staticWord));
}

/** Covers only this script in this folder. */
function testGrants(segments: CallFacts['segments'] = [], dangers: CallFacts['dangers'] = []): readonly string[] {
  const [segment] = segments;
  if (segment === undefined || segments.length > 1 || segment.once === true || dangers.length > 0) return [];
  const { effect = 'unknown', pin, folder, set } = segment;
  if (set !== undefined) return [setGrant(set, effect)];
  const place = { ...optional({ pin, folder }) };
  return [ruleToText({ verdict: 'allow', tool: 'run_tests', effect, ...place, origin: 'session' })];
}

function noTests(): string {
  return `Can't find a way to run tests: none of ${TEST_MARKERS} exists here. Use the shell, or pass the project's folder as path.`;
}

function testResult(
  tests: TestCommand,
  result: ChildResult,
  { timeoutMs, notes }: { readonly timeoutMs: number; readonly notes: readonly string[] },
): ToolResult {
  const { outcome } = result;
  const line = commandLine(tests);
  const output = [result.stdout.text.trimEnd(), result.stderr.text.trimEnd()]
    .filter((text) => text !== '')
    .join('\n');
  if (outcome.type === 'cancelled') return { type: 'cancelled', ...(output !== '' && { output }) };
  if (outcome.type === 'not-started') return failure('not-started', `Can't start ${line}: ${outcome.message}`);
  if (outcome.type === 'timed-out') {
    return failure(
      'timed-out',
      `${line} timed out after ${timeoutMs / 1000} s and was ended.\n${capText(output, 4_000)}`,
      { retryable: true },
    );
  }
  const passed = outcome.type === 'exited' && outcome.code === 0;
  const { totals, failures } = summarizeTests(output);
  const parts = [
    `${line}: ${passed ? 'all tests passed' : `failed (${outcome.type === 'exited' ? `exit code ${outcome.code}` : outcome.signal})`}`,
    ...totals,
    ...(passed || failures.length === 0 ? [] : ['', 'Failures:', ...failures]),
    ...(passed ? [] : ['', 'Output:', capText(output, 12_000)]),
    ...notes.map((note) => `[${note}]`),
  ];
  return {
    type: 'success',
    output: parts.join('\n'),
    data: {
      framework: tests.framework,
      command: line,
      passed,
      exitCode: outcome.type === 'exited' ? outcome.code : null,
      failures: failures.length,
    },
  };
}
