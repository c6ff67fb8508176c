import path from 'node:path';

import type { Limits } from '../../kernel/limits.ts';
import { isModeName, type ModeName } from '../../kernel/mode.ts';
import { ruleToolProblem } from '../../kernel/policy/rule-tool.ts';
import { parseRule, type Rule } from '../../kernel/rule.ts';
import { numberFrom } from '../number-option.ts';
import {
  agentOption,
  allowOption,
  commonOptions,
  configOptions,
  modeNames,
  modeOption,
  parseOptions,
  repositoryFrom,
  repositoryOptions,
  storeOption,
  type NamedRepository,
  type OptionTable,
} from '../option-table.ts';
import { usageError } from '../usage-error.ts';
import { optional } from '../../kernel/optional.ts';

export interface RunCommandOptions {
  readonly prompt?: string;
  /** A file of prompts, `-` for standard input. */
  readonly prompts?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: ModeName;
  readonly cwd: string;
  readonly session?: string;
  /** Work in a worktree: a new one, or the one with that name. */
  readonly worktree?: true | string;
  readonly repository?: NamedRepository;
  readonly rules: readonly Rule[];
  readonly autoApprove: boolean;
  readonly limits: Partial<Limits>;
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly store?: string;
  readonly configFile?: string;
  readonly trustProject: boolean;
}

export const runOptionTable = {
  ...agentOption,
  model: { type: 'string', value: 'NAME', help: 'model to use; scripted:FILE plays a script' },
  ...modeOption,
  session: {
    type: 'string',
    value: 'ID',
    help: 'resume a session (id, prefix or "latest"), with or without a prompt',
  },
  prompts: {
    type: 'string',
    value: 'FILE',
    help: 'run several prompts, separated by blank lines; stop at a failure',
  },
  cwd: { type: 'string', value: 'DIR', help: 'folder to work in (default: this one)' },
  worktree: { type: 'boolean', help: 'work in a separate git worktree, kept at the end' },
  'worktree-name': { type: 'string', value: 'NAME', help: 'worktree to work in, created if missing' },
  ...repositoryOptions,
  ...allowOption,
  deny: { type: 'string', multiple: true, value: 'RULE', help: 'deny calls; repeatable' },
  'auto-approve': { type: 'boolean', help: 'approve every question; denied calls stay denied' },
  quiet: { type: 'boolean', short: 'q', help: 'print only the answer, questions and errors' },
  'max-steps': { type: 'string', value: 'N', help: 'max model calls per turn' },
  'max-tool-calls': { type: 'string', value: 'N', help: 'max tool calls per turn' },
  'max-tokens': { type: 'string', value: 'N', help: 'max tokens for the session' },
  'max-cost': { type: 'string', value: 'USD', help: 'max cost for the session' },
  timeout: { type: 'string', value: 'SECONDS', help: 'max wall time per turn' },
  ...configOptions,
  json: { type: 'boolean', help: 'print JSON Lines; the last line is the result' },
  ...storeOption,
  ...commonOptions,
} as const satisfies OptionTable;

export function parseRunOptions(argv: readonly string[]): RunCommandOptions {
  const end = argv.indexOf('--');
  if ((end === -1 ? argv : argv.slice(0, end)).some((word) => word === '-c' || word === '--continue'))
    throw usageError('-c belongs to `rondo chat`; to continue the newest session use --session latest');
  const { values, words } = parseOptions(runOptionTable, argv, { most: Infinity });
  const isCommand = words[0]?.startsWith('/') === true;
  if (words.length > 1 && !isCommand) {
    throw usageError(`expected one prompt, got ${words.length}; put it in quotes`);
  }
  const prompt = isCommand ? words.join(' ') : words[0];
  const { agent, model, mode, session, prompts, store, config } = values;
  if (prompt !== undefined && prompts !== undefined) throw usageError("a prompt and --prompts can't be combined");
  if (session === '') throw usageError('--session needs an id; `rondo ls` lists sessions');
  if (mode !== undefined && !isModeName(mode)) {
    throw usageError(`unknown mode "${mode}"; use one of ${modeNames.join(', ')}`);
  }
  const worktree = values['worktree-name'] ?? (values.worktree === true ? true : undefined);
  if (worktree !== undefined && session !== undefined)
    throw usageError('--worktree only applies to new sessions; this session already has a folder');
  const repository = repositoryFrom({ ...values, worktree });
  const seconds = numberFrom('timeout', values.timeout, 'any');
  return {
    ...optional({ prompt, prompts, agent, model, mode }),
    cwd: path.resolve(values.cwd ?? '.'),
    ...optional({ session, worktree, repository }),
    rules: [...rulesOf('allow', values.allow), ...rulesOf('deny', values.deny)],
    autoApprove: values['auto-approve'] ?? false,
    limits: optional({
      steps: numberFrom('max-steps', values['max-steps']),
      toolCalls: numberFrom('max-tool-calls', values['max-tool-calls']),
      tokens: numberFrom('max-tokens', values['max-tokens']),
      cost: numberFrom('max-cost', values['max-cost'], 'any'),
      wallTimeMs: seconds === undefined ? undefined : seconds * 1000,
    }),
    json: values.json ?? false,
    isQuiet: values.quiet ?? false,
    ...optional({ store, configFile: config }),
    trustProject: values['trust-project'] ?? false,
  };
}

export function rulesOf(verdict: 'allow' | 'deny', texts: readonly string[] = []): readonly Rule[] {
  return texts.map((text) => {
    const rule = parseRule(text, verdict, 'flag');
    if (rule === undefined) throw usageError(`--${verdict}: invalid rule "${text}"; write tool or tool(pattern)`);
    const problem = ruleToolProblem(rule);
    if (problem !== undefined) throw usageError(`--${verdict} "${text}": ${problem.message}`);
    return rule;
  });
}
