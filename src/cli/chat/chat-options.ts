import path from 'node:path';

import { isModeName, type ModeName } from '../../kernel/mode.ts';
import type { Rule } from '../../kernel/rule.ts';
import { isThemeName, themeNames, type ThemeName } from '../../terminal/palette.ts';
import { rulesOf } from '../run/run-options.ts';
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

/** A session of a server that may be on another machine, and how it is shown. */
export interface RemoteSessionOptions {
  readonly session: string;
  readonly url?: string;
  readonly token?: string;
  readonly after?: number;
  readonly isJson: boolean;
}

export interface ChatCommandOptions {
  readonly follow?: RemoteSessionOptions;

  /** Sent at start. */
  readonly prompt?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: ModeName;
  /** The session to resume. Absent for a new one. */
  readonly session?: string;
  readonly picks: boolean;
  readonly cwd: string;
  readonly store?: string;
  readonly configFile?: string;
  readonly trustProject: boolean;
  /** True to bypass a running server. */
  readonly isAlone: boolean;
  readonly rules: readonly Rule[];
  /** Work in a worktree: a new one, or the one with that name. */
  readonly worktree?: true | string;
  readonly repository?: NamedRepository;
  /** Line by line, without a screen. */
  readonly isByLine: boolean;
  readonly isAscii: boolean;
  readonly hasMouse: boolean;
  readonly theme?: ThemeName;
}

export const followOptions = {
  url: { type: 'string', value: 'URL', help: 'with --follow: the server (default: the one that runs here)' },
  token: {
    type: 'string',
    value: 'TOKEN',
    help: "with --follow: a token (default: RONDO_TOKEN, then the owner's)",
  },
  after: { type: 'string', value: 'SEQ', help: 'with --json: every event after this one (default: a snapshot)' },
  json: { type: 'boolean', help: 'with --follow: one JSON object per line, in and out' },
} as const satisfies OptionTable;

export const chatOptionTable = {
  ...agentOption,
  model: { type: 'string', value: 'NAME', help: "model to use (default: the agent's)" },
  ...modeOption,
  continue: { type: 'boolean', short: 'c', help: 'resume the newest session of this folder' },
  session: { type: 'string', value: 'ID', help: 'resume a session (id, prefix or "latest")' },
  follow: { type: 'string', value: 'ID', help: 'follow a session of a server; leaving stops nothing' },
  ...followOptions,
  pick: { type: 'boolean', short: 'p', help: 'choose a recent session' },
  cwd: { type: 'string', value: 'DIR', help: 'folder to work in (default: this one)' },
  worktree: { type: 'boolean', help: 'start in a separate git worktree' },
  ...repositoryOptions,
  ...allowOption,
  line: { type: 'boolean', help: 'print lines instead of a full screen' },
  ascii: { type: 'boolean', help: 'use ASCII shapes only' },
  'no-mouse': { type: 'boolean', help: 'leave the mouse to the terminal' },
  theme: {
    type: 'string',
    value: 'NAME',
    values: themeNames,
    help: `${themeNames.join(', ')} (default: by background)`,
  },
  ...configOptions,
  ...storeOption,
  alone: { type: 'boolean', help: 'run sessions in this process, even if a server runs' },
  ...commonOptions,
} as const satisfies OptionTable;

/** The newest session of the folder, resolved once the store is open. */
export const newestHere = 'newest-here';

export function parseChatOptions(argv: readonly string[]): ChatCommandOptions {
  const { values, words } = parseOptions(chatOptionTable, argv, { most: 1 });
  const { agent, model, mode, store, config } = values;
  const [prompt] = words;
  if (mode !== undefined && !isModeName(mode)) {
    throw usageError(`unknown mode "${mode}"; use one of ${modeNames.join(', ')}`);
  }
  if (values.session === '') throw usageError('--session needs an id; `rondo ls` lists sessions');
  if (values.worktree === true && (values.session !== undefined || values.continue === true))
    throw usageError('--worktree only applies to new sessions; this session already has a folder');
  if (values.session !== undefined && values.continue === true)
    throw usageError("--session and --continue can't be combined");
  const repository = repositoryFrom({ ...values, session: values.continue === true ? 'newest' : values.session });
  const { theme } = values;
  if (theme !== undefined && !isThemeName(theme))
    throw usageError(`unknown theme "${theme}"; use one of ${themeNames.join(', ')}`);
  const follow = followFrom(values);
  const session = follow?.session ?? (values.continue === true ? newestHere : values.session);
  return {
    ...optional({ follow, prompt, agent, model, mode, session }),
    picks: values.pick ?? false,
    cwd: path.resolve(values.cwd ?? '.'),
    ...optional({ store, configFile: config }),
    trustProject: values['trust-project'] ?? false,
    isAlone: values.alone ?? false,
    rules: rulesOf('allow', values.allow),
    ...(values.worktree === true && { worktree: true as const }),
    ...optional({ repository }),
    isByLine: values.line ?? false,
    isAscii: values.ascii ?? false,
    hasMouse: values['no-mouse'] !== true,
    ...optional({ theme }),
  };
}

interface FollowValues {
  readonly follow?: string | undefined;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly after?: string | undefined;
  readonly json?: boolean | undefined;
}

function followFrom({ follow, url, token, after, json = false }: FollowValues): RemoteSessionOptions | undefined {
  if (follow === undefined) {
    if ((url ?? token ?? after) === undefined && !json) return undefined;
    throw usageError('--url, --token, --after and --json need --follow ID');
  }
  const from = after === undefined ? undefined : Number(after);
  if (from !== undefined && !(Number.isSafeInteger(from) && from >= 0))
    throw usageError(`--after takes an event's number from 0 on, not "${after}"`);
  return {
    session: follow,
    ...optional({ url, token, after: from }),
    isJson: json,
  };
}
