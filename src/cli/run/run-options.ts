import path from 'node:path';

import type { Limits } from '../../kernel/limits.ts';
import { isModeName, modes, type ModeName } from '../../kernel/mode.ts';
import { ruleToolProblem } from '../../kernel/policy/rule-tool.ts';
import { parseRule, type Rule } from '../../kernel/rule.ts';
import { numberFrom } from '../number-option.ts';
import { commonOptions, parseOptions, type OptionTable } from '../option-table.ts';
import { usageError } from '../usage-error.ts';

export interface RunOptions {
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
  readonly rules: readonly Rule[];
  readonly autoApprove: boolean;
  readonly limits: Partial<Limits>;
  readonly json: boolean;
  readonly store?: string;
  readonly configFile?: string;
  readonly trustProject: boolean;
}

const modeNames = Object.keys(modes);

export const runOptionTable = {
  agent: { type: 'string', value: 'NAME', help: 'the agent to talk to (default: as configured, else assistant)' },
  model: { type: 'string', value: 'NAME', help: 'the model it uses; scripted:FILE plays a script' },
  mode: {
    type: 'string',
    value: 'MODE',
    values: modeNames,
    help: `${modeNames.join(', ')} (default: the agent's)`,
  },
  session: {
    type: 'string',
    value: 'ID',
    help: 'go on with a session (id, prefix or "latest"); without a prompt: resume it',
  },
  prompts: {
    type: 'string',
    value: 'FILE',
    help: 'several prompts, blank lines between them; ends with the first that is not completed',
  },
  cwd: { type: 'string', value: 'DIR', help: 'the folder to work in (default: this one)' },
  worktree: { type: 'boolean', help: 'work in a git worktree of its own; kept at the end' },
  'worktree-name': { type: 'string', value: 'NAME', help: 'the worktree to work in; made if it is not there' },
  allow: {
    type: 'string',
    multiple: true,
    value: 'RULE',
    help: "allow calls, e.g. --allow 'shell(git status*)'; may be repeated",
  },
  deny: { type: 'string', multiple: true, value: 'RULE', help: 'deny calls; may be repeated' },
  'auto-approve': { type: 'boolean', help: 'answer every question with yes; never lifts a deny' },
  'max-steps': { type: 'string', value: 'N', help: 'model calls in the turn' },
  'max-tool-calls': { type: 'string', value: 'N', help: 'tool calls in the turn' },
  'max-tokens': { type: 'string', value: 'N', help: 'tokens of the whole session' },
  'max-cost': { type: 'string', value: 'USD', help: 'money of the whole session' },
  timeout: { type: 'string', value: 'SECONDS', help: 'wall time of the turn' },
  config: { type: 'string', value: 'FILE', help: "a configuration in place of the project's" },
  'trust-project': {
    type: 'boolean',
    help: "use the project's configuration this once, though it is not trusted",
  },
  json: { type: 'boolean', help: 'JSON Lines on standard output, the result as the last line' },
  store: { type: 'string', value: 'STORE', help: 'sqlite:PATH or memory: (default: as configured)' },
  ...commonOptions,
} as const satisfies OptionTable;

export function parseRunOptions(argv: readonly string[]): RunOptions {
  const { values, words } = parseOptions(runOptionTable, argv, { most: Infinity });
  const isCommand = words[0]?.startsWith('/') === true;
  if (words.length > 1 && !isCommand) {
    throw usageError(`one prompt is expected, ${words.length} were given; put it in quotes`);
  }
  const prompt = isCommand ? words.join(' ') : words[0];
  const { agent, model, mode, session, prompts, store, config } = values;
  if (prompt !== undefined && prompts !== undefined) throw usageError('either a prompt or --prompts, not both');
  if (session === '') throw usageError('--session names no session; `rondo ls` shows those there are');
  if (mode !== undefined && !isModeName(mode)) {
    throw usageError(`there is no mode "${mode}"; the modes are ${modeNames.join(', ')}`);
  }
  const worktree = values['worktree-name'] ?? (values.worktree === true ? true : undefined);
  if (worktree !== undefined && session !== undefined)
    throw usageError('--worktree is for new sessions: this one has its folder already');
  const seconds = numberFrom('timeout', values.timeout, 'any');
  return {
    ...(prompt !== undefined && { prompt }),
    ...(prompts !== undefined && { prompts }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    cwd: path.resolve(values.cwd ?? '.'),
    ...(session !== undefined && { session }),
    ...(worktree !== undefined && { worktree }),
    rules: [...rulesOf('allow', values.allow), ...rulesOf('deny', values.deny)],
    autoApprove: values['auto-approve'] ?? false,
    limits: {
      ...limit('steps', numberFrom('max-steps', values['max-steps'])),
      ...limit('toolCalls', numberFrom('max-tool-calls', values['max-tool-calls'])),
      ...limit('tokens', numberFrom('max-tokens', values['max-tokens'])),
      ...limit('cost', numberFrom('max-cost', values['max-cost'], 'any')),
      ...limit('wallTimeMs', seconds === undefined ? undefined : seconds * 1000),
    },
    json: values.json ?? false,
    ...(store !== undefined && { store }),
    ...(config !== undefined && { configFile: config }),
    trustProject: values['trust-project'] ?? false,
  };
}

function limit(name: keyof Limits, value: number | undefined): Partial<Limits> {
  return value === undefined ? {} : { [name]: value };
}

function rulesOf(verdict: 'allow' | 'deny', texts: readonly string[] = []): readonly Rule[] {
  return texts.map((text) => {
    const rule = parseRule(text, verdict, 'flag');
    if (rule === undefined) throw usageError(`--${verdict} "${text}" is no rule; write tool or tool(pattern)`);
    const problem = ruleToolProblem(rule);
    if (problem !== undefined) throw usageError(`--${verdict} "${text}": ${problem.message}`);
    return rule;
  });
}
