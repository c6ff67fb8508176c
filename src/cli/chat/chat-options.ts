import path from 'node:path';

import { isModeName, modes, type ModeName } from '../../kernel/mode.ts';
import type { Rule } from '../../kernel/rule.ts';
import { commonOptions, parseOptions, type OptionTable } from '../option-table.ts';
import { usageError } from '../usage-error.ts';

export interface ChatOptions {
  /** Sent at once. */
  readonly prompt?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: ModeName;
  /** Which session to go on with; a new one without it. */
  readonly session?: string;
  readonly picks: boolean;
  readonly cwd: string;
  readonly store?: string;
  readonly configFile?: string;
  readonly trustProject: boolean;
  /** Not through a server, even where one runs. */
  readonly isAlone: boolean;
  readonly rules: readonly Rule[];
}

const modeNames = Object.keys(modes);

export const chatOptionTable = {
  agent: { type: 'string', value: 'NAME', help: 'agent to talk to (default: as configured, else assistant)' },
  model: { type: 'string', value: 'NAME', help: "model to use (default: the agent's)" },
  mode: {
    type: 'string',
    value: 'MODE',
    values: modeNames,
    help: `${modeNames.join(', ')} (default: the agent's)`,
  },
  continue: { type: 'boolean', short: 'c', help: 'resume the newest session of this folder' },
  session: { type: 'string', value: 'ID', help: 'resume a session (id, prefix or "latest")' },
  pick: { type: 'boolean', short: 'p', help: 'choose a recent session' },
  cwd: { type: 'string', value: 'DIR', help: 'folder to work in (default: this one)' },
  config: { type: 'string', value: 'FILE', help: "configuration to use instead of the project's" },
  'trust-project': {
    type: 'boolean',
    help: "use the project's untrusted configuration once",
  },
  store: { type: 'string', value: 'STORE', help: 'sqlite:PATH or memory: (default: as configured)' },
  alone: { type: 'boolean', help: 'run sessions in this process, even if a server runs' },
  ...commonOptions,
} as const satisfies OptionTable;

/** Newest session of a folder: found once the store is open. */
export const newestHere = 'newest-here';

export function parseChatOptions(argv: readonly string[]): ChatOptions {
  const { values, words } = parseOptions(chatOptionTable, argv, { most: 1 });
  const { agent, model, mode, store, config } = values;
  const [prompt] = words;
  if (mode !== undefined && !isModeName(mode)) {
    throw usageError(`unknown mode "${mode}"; use one of ${modeNames.join(', ')}`);
  }
  if (values.session === '') throw usageError('--session needs an id; `rondo ls` lists sessions');
  if (values.session !== undefined && values.continue === true)
    throw usageError("--session and --continue can't be combined");
  const session = values.continue === true ? newestHere : values.session;
  return {
    ...(prompt !== undefined && { prompt }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(session !== undefined && { session }),
    picks: values.pick ?? false,
    cwd: path.resolve(values.cwd ?? '.'),
    ...(store !== undefined && { store }),
    ...(config !== undefined && { configFile: config }),
    trustProject: values['trust-project'] ?? false,
    isAlone: values.alone ?? false,
    rules: [],
  };
}
