/** A command's options. Its parser, help and completions are derived from one table. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { nearestName } from '../kernel/nearest-name.ts';
import { optional } from '../kernel/optional.ts';
import { usageError } from './usage-error.ts';
import { modes } from '../kernel/mode.ts';

interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** The placeholder for the value in help. */
  readonly value?: string;
  /** Possible values, for completion. */
  readonly values?: readonly string[];
  /** The subcommands that accept it. Absent: all of them, and the command without a subcommand. */
  readonly of?: readonly string[];
  readonly help: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

type Parsed<Table extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: Table; allowPositionals: true; strict: true }>
>;

export interface ParsedOptions<Table extends OptionTable> {
  readonly values: Parsed<Table>['values'];
  readonly words: readonly string[];
}

/** Options of every command. */
export const commonOptions = {
  help: { type: 'boolean', short: 'h', help: 'show this help' },
} as const satisfies OptionTable;

/** Options of commands that talk to an agent. */
export const agentOption = {
  agent: { type: 'string', value: 'NAME', help: 'agent to talk to (default: as configured, else assistant)' },
} as const satisfies OptionTable;

export const modeNames = Object.keys(modes);

export const modeOption = {
  mode: {
    type: 'string',
    value: 'MODE',
    values: modeNames,
    help: `${modeNames.join(', ')} (default: the agent's)`,
  },
} as const satisfies OptionTable;

export const allowOption = {
  allow: {
    type: 'string',
    multiple: true,
    value: 'RULE',
    help: "allow calls, e.g. --allow 'shell(git status*)'; repeatable",
  },
} as const satisfies OptionTable;

export const configOptions = {
  config: { type: 'string', value: 'FILE', help: "configuration to use instead of the project's" },
  'trust-project': { type: 'boolean', help: "use the project's untrusted configuration once" },
} as const satisfies OptionTable;

export const jsonOption = {
  json: { type: 'boolean', help: 'print JSON' },
} as const satisfies OptionTable;

export const storeOption = {
  store: {
    type: 'string',
    value: 'STORE',
    help: 'sqlite:PATH, postgres://…, nats://… or memory: (default: as configured)',
  },
} as const satisfies OptionTable;

export const storeOptions = {
  cwd: { type: 'string', value: 'DIR', help: 'folder to read configuration from (default: this one)' },
  ...storeOption,
} as const satisfies OptionTable;

/** Options of commands that read a store and print a result. */
export const storedOptions = { ...jsonOption, ...storeOptions, ...commonOptions } as const satisfies OptionTable;

/** `most` is the maximum number of words besides options. */
export function parseOptions<Table extends OptionTable>(
  options: Table,
  argv: readonly string[],
  { most }: { readonly most: number },
): ParsedOptions<Table> {
  let parsed: Parsed<Table>;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw optionError(error, options);
  }
  const { values, positionals } = parsed;
  const extra = positionals[most];
  if (extra !== undefined) throw usageError(`unexpected argument "${extra}"; put text with spaces in quotes`);
  return { values, words: positionals };
}

export function optionHelp(options: OptionTable): string {
  const rows = Object.entries(options).map(([name, { short, value, of, help }]) => {
    const flag = short === undefined ? `--${name}` : `-${short}, --${name}`;
    const takers = of === undefined ? '' : `${of.join(', ')}: `;
    return { flag: value === undefined ? flag : `${flag} ${value}`, help: `${takers}${help}` };
  });
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  return rows.map(({ flag, help }) => `  ${flag.padEnd(width)}  ${help}`).join('\n');
}

function optionError(error: unknown, options: OptionTable): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const named = /'(-[^' ]*)/.exec(message)?.[1];
  if (named !== undefined && code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
    return valueError(named, message, options);
  const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? named : undefined;
  if (unknown === undefined) return error;
  const near = nearestName(unknown.replace(/^-+/, ''), Object.keys(options));
  return usageError(`unknown option ${unknown}${near === undefined ? '' : `; did you mean --${near}?`}`);
}

/** Only the text of Node's error tells whether a value is missing, looks like an option, or is unexpected. */
function valueError(named: string, message: string, options: OptionTable): Error {
  const name = /--([\w-]+)/.exec(message)?.[1] ?? named;
  const { type, value = 'VALUE' } = options[name] ?? { type: 'string' };
  if (type === 'boolean') return usageError(`--${name} takes no value`);
  if (/ambiguous/.test(message))
    return usageError(`--${name} needs a value; write --${name}=${value} if it starts with a dash`);
  return usageError(`--${name} needs a value: --${name} ${value}`);
}

/** A repository instead of a folder of this machine. */
export const repositoryOptions = {
  repo: { type: 'string', value: 'URL', help: 'work on a clone of a repository; the result is a branch' },
  ref: { type: 'string', value: 'REF', help: 'with --repo: branch, tag or commit (default: its default branch)' },
  'no-push': { type: 'boolean', help: "with --repo: don't push the branch" },
} as const satisfies OptionTable;

export interface NamedRepository {
  readonly url: string;
  readonly ref?: string;
  readonly push: boolean;
}

export function repositoryFrom(values: {
  readonly repo?: string | undefined;
  readonly ref?: string | undefined;
  readonly 'no-push'?: boolean | undefined;
  readonly cwd?: string | undefined;
  readonly worktree?: boolean | string | undefined;
  readonly session?: string | undefined;
}): NamedRepository | undefined {
  const { repo, ref, cwd, worktree, session } = values;
  if (repo === undefined) {
    if (ref !== undefined || values['no-push'] === true) throw usageError('--ref and --no-push need --repo URL');
    return undefined;
  }
  if (session !== undefined)
    throw usageError('--repo only applies to new sessions; this session already has a folder');
  if (cwd !== undefined || worktree !== undefined)
    throw usageError("--repo can't be combined with --cwd or --worktree");
  const url = isLocalFolder(repo) ? path.resolve(repo) : repo;
  return { url, push: values['no-push'] !== true, ...optional({ ref }) };
}

/** Whether git reads `repo` as a local path: it starts with a dot, or the folder exists. */
function isLocalFolder(repo: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(repo) || (statSync(repo, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
