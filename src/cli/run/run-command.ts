/** `rondo run`: prompts, one ending, one exit code. Never hangs on a question that nobody can answer (P9). */
import type { Store } from '../../ports/store.ts';
import type { Body } from '../../kernel/content.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { isCommand } from '../../commands/registry.ts';
import { optional } from '../../kernel/optional.ts';
import type { Session } from '../../session/handle/session.ts';
import { exitCodeOf, type Result } from '../../views/result.ts';
import type { CliCommand } from '../command.ts';
import { onSuspend } from '../on-suspend.ts';
import { sessionAroundSelf } from '../../processes/around-session.ts';
import { personOnly } from '../person-only.ts';
import { noticeText } from '../../wording/notice.ts';
import { questionCardLines } from '../sessions/question-card-lines.ts';
import { storeFlagOf } from '../store-flag.ts';
import { terminalOf } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';
import { brokenRun, wantsJson } from './broken-run.ts';
import { converse } from './converse.ts';
import { onInterrupt, unlessLeft } from './on-interrupt.ts';
import { promptsOf } from './prompt-source.ts';
import { agreeOnQueued } from './queued-before.ts';
import { createQueueNotice } from './queued-prompts.ts';
import { parseRunOptions, runOptionTable, type RunCommandOptions } from './run-options.ts';
import { createJsonOutput, type RunOutput, type RunRecord } from './run-output.ts';
import { sessionFor } from './run-session.ts';
import { resultBranch, unpushedLine } from './result-branch.ts';
import { endInWorktree } from './run-worktree.ts';
import { createTextOutput } from './text-output.ts';
import { headingOf, givenUpLine, tellOffline, tellIgnored, checkRunModel } from './run-notes.ts';

export const runCommand: CliCommand = {
  usage: [
    'run [PROMPT | -] [options]',
    'run --session ID [PROMPT | /COMMAND]',
    'run --mode batch --prompts FILE',
    'run --mode repl [LINE | -]',
  ],
  about: `Runs one prompt in a new or existing session and exits. "-" reads the prompt from standard input. Input piped in
next to a prompt is added to it. On a terminal Rondo asks you its questions. Without a terminal an open question ends
the run with exit code 3, and you can answer it later.

In mode repl a line that parses as a tool call ("read src/a.ts", "grep foo src") runs as that call, without a model.
Any other line is a prompt. "-" reads several lines. "_" is the last result.

Exit codes: 0 completed, 1 failed, 2 usage or configuration, 3 needs input, 4 refused by policy,
5 limit reached, 6 provider unavailable, 7 timed out, 130 interrupted.`,
  options: runOptionTable,
  async run(argv) {
    const course: Course = { isTold: false };
    try {
      return await runTold(argv, course);
    } catch (error) {
      if (wantsJson(argv) && !course.isTold)
        process.stdout.write(`${JSON.stringify(brokenRun(error, course.begun))}\n`);
      throw error;
    }
  },
};

/** A run's progress, for the result line if it fails. */
interface Course {
  begun?: { readonly session: SessionId; readonly resume: string };
  isTold: boolean;
}

/** An agent's command must not answer questions or loosen the rules of a session that exists (S19). */
async function refuseDeciding(options: RunCommandOptions, first = ''): Promise<void> {
  if (sessionAroundSelf() === undefined) return;
  const { session, autoApprove, rules, mode, limits, configFile, trustProject } = options;
  const { commandForPeople } = await import('../../commands/run-command.ts');
  const command = commandForPeople(first);
  if (command !== undefined) personOnly(`run ${command}`);
  if (trustProject) personOnly('run --trust-project');
  if (session === undefined) return;
  const isLoosened: Readonly<Record<string, boolean>> = {
    'auto-approve': autoApprove,
    allow: rules.some(({ verdict }) => verdict === 'allow'),
    mode: mode !== undefined,
    'max-…': Object.keys(limits).length > 0,
    config: configFile !== undefined,
  };
  for (const [option, isGiven] of Object.entries(isLoosened))
    if (isGiven) personOnly(`run --session … --${option}`);
}

async function runTold(argv: readonly string[], course: Course): Promise<number> {
  const options = parseRunOptions(argv);
  const prompts = await promptsOf(options);
  await refuseDeciding(options, prompts[0]);
  const output = outputFor(options);
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && sessionAroundSelf() === undefined;
  const isAttended = options.mode !== 'batch' && !options.json && isTerminal;
  const opened = Promise.withResolvers<Store>();
  // Loading the question card takes a fifth of the startup time, and few runs ask.
  const inline =
    isAttended && !options.autoApprove
      ? (await import('./inline-approver.ts')).createInlineApprover({
          beforeAsking: () => output.clear(),
          store: opened.promise,
        })
      : undefined;
  const approve = options.autoApprove ? 'all' : inline?.approver;
  const leaving = new AbortController();
  await using workspace = await openWorkspace({
    ...options,
    leaving: leaving.signal,
    ...optional({ approve }),
  });
  opened.resolve(workspace.store);
  if (options.session === undefined) void workspace.prepare(options);
  tellIgnored(workspace.config);
  if (options.model !== undefined) await checkRunModel(workspace, options.model, options.limits.cost);
  const [first] = prompts;
  if (options.prompts === undefined && first !== undefined && isCommand(first)) {
    const { runSlash } = await import('./run-slash.ts');
    const code = await runSlash(first, workspace, options);
    if (code !== undefined) {
      course.isTold = true;
      return code;
    }
  }
  if (first !== undefined) await agreeOnQueued(workspace, options, { isAttended });
  const session = await unlessLeft(leaving, () => sessionFor(workspace, options, prompts[0]));
  if (session === undefined) return 130;
  const resume = resumeCommand(session, options);
  course.begun = { session: session.id, resume };
  if (options.model === undefined) void tellOffline(workspace, session);
  // A pipe has no heading, so its prompt doesn't wait for one.
  if (!options.json && process.stderr.isTTY) output.begin(await headingOf(workspace, session, options));
  let isLeaving = false;
  const suspension = onSuspend(workspace.rondo);
  const onGivenUp = async () => {
    await suspension.running();
    output.clear();
    if (!options.json) process.stderr.write(`${await givenUpLine(workspace.store, session.id)}\n`);
  };
  const queue = options.json
    ? undefined
    : createQueueNotice((line) => {
        output.clear();
        process.stderr.write(`${line}\n`);
      });
  const stopListening = onInterrupt({
    // If it is too late to cancel, the run's own ending explains why.
    cancel: () => void session.interrupt('interrupted from the terminal').catch(() => undefined),
    leave() {
      if (isLeaving) return;
      isLeaving = true;
      void leave(session, output, resume);
    },
  });
  try {
    const result = await runPrompts(prompts, {
      output,
      resume,
      talk: (prompt) =>
        converse(prompt, {
          session,
          mode: options.mode,
          isAttended,
          onBegin(status) {
            queue?.begin(status, prompt);
            inline?.begin(
              session.id,
              status.questions.map(({ id }) => id),
            );
          },
          onGivenUp,
          onEarlier: (recorded) => output.earlier(recorded),
          onUpdate(update) {
            if (isLeaving) return;
            queue?.update(update);
            output.update(update);
            if (update.type !== 'event') return;
            const { event } = update.recorded;
            if (event.type === 'question-answered' || event.type === 'question-closed')
              inline?.closed(event.question, event.type === 'question-answered' ? event.answer : undefined);
          },
        }),
    });
    if (isLeaving) return exitCodeOf('cancelled');
    const ended = options.worktree === undefined ? undefined : await endInWorktree(workspace, session);
    const asked = options.json ? [] : await questionLines(session, result, storeFlagOf(options.store));
    const branch = await resultBranch(workspace, session);
    output.result({ ...result, ...optional({ worktree: ended?.worktree, branch }) }, asked);
    course.isTold = true;
    if (ended !== undefined && !options.json) process.stderr.write(ended.text);
    if (branch !== undefined && !options.json)
      process.stderr.write(`${noticeText({ type: 'push-settled', ...branch })}\n`);
    if (!options.json) process.stderr.write(await unpushedLine(session));
    return exitCodeOf(result.outcome);
  } finally {
    output.clear();
    stopListening();
    suspension.stopListening();
  }
}

interface Talk {
  readonly output: RunOutput;
  readonly resume: string;
  readonly talk: (prompt: string | undefined) => Promise<Result>;
}

/** Runs prompts in order and stops at the first that doesn't complete. */
async function runPrompts(prompts: readonly string[], { output, resume, talk }: Talk): Promise<RunRecord> {
  let result = await talk(prompts[0]);
  let completed = 0;
  for (const prompt of prompts.slice(1)) {
    if (result.outcome !== 'completed') break;
    completed += 1;
    output.replied({ ...result, resume });
    result = await talk(prompt);
  }
  if (result.outcome === 'completed') completed += 1;
  return { ...result, resume, ...(prompts.length > 1 && { prompts: { given: prompts.length, completed } }) };
}

async function questionLines(session: Session, { questions }: Result, storeFlag: string) {
  if (questions.length === 0) return [];
  const { cwd } = await session.status();
  const { paint } = terminalOf(process.stderr);
  const place = { read: (body: Body) => session.read(body), cwd, paint, answerBy: 'command', storeFlag } as const;
  return (await Promise.all(questions.map((question) => questionCardLines(question, place)))).flat();
}

/** The keeper ends the remaining processes. The session stays as it is and can be resumed. */
async function leave(session: Session, output: RunOutput, resume: string): Promise<never> {
  const reason = 'The run stopped before its turn ended.';
  const result = await session.result().catch(() => undefined);
  if (result !== undefined) output.result({ ...result, outcome: 'cancelled', reason, resume });
  process.exit(130);
}

function resumeCommand({ id }: Session, { store }: RunCommandOptions): string {
  return `rondo run --session ${id}${storeFlagOf(store)}`;
}

function outputFor({ json, isQuiet }: RunCommandOptions): RunOutput {
  const streams = {
    out: (text: string) => void process.stdout.write(text),
    err: (text: string) => void process.stderr.write(text),
  };
  if (json) return createJsonOutput(streams);
  const terminals = { out: terminalOf(process.stdout), err: terminalOf(process.stderr) };
  return createTextOutput(streams, terminals, { isQuiet });
}
