/**
 * Reads and validates one configuration file. References are checked later, with all layers, because a project may
 * name what the user defined.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { checkConfig } from './check-document.ts';
import { ruleProblems } from './config-rules.ts';
import type { PlaceOf } from './config-document.ts';
import { valueAt, type ConfigPath } from './config-path.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { parseJsonc } from './parse-jsonc.ts';
import { substituteVariables } from './substitute-variables.ts';
import type { Environment } from '../ports/environment.ts';

export interface ConfigFile {
  readonly file: string;
  readonly config: Config;
  readonly placeOf: PlaceOf;
  /** The environment variables used in a value, by path. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

export type ReadConfigFile =
  | { readonly type: 'read'; readonly file: ConfigFile }
  | { readonly type: 'absent' }
  | InvalidConfigFile;

interface InvalidConfigFile {
  readonly type: 'invalid';
  readonly problems: readonly ConfigProblem[];
  /** The file without its invalid parts, so that the rest can be checked in the same run. */
  readonly rest?: ConfigFile;
}

/** Whether to replace `${NAME}`. Never in an untrusted project, because it could leak a key. */
export type Variables = { readonly from: Environment } | 'left-alone';

export async function readConfigFile(file: string, variables: Variables): Promise<ReadConfigFile> {
  const read = await readIfThere(file);
  if (read.type !== 'read') return read;
  return parseConfig(read.text, file, variables);
}

export async function parseConfig(
  text: string,
  file: string,
  variables: Variables,
): Promise<Exclude<ReadConfigFile, { type: 'absent' }>> {
  const parsed = await parseJsonc(text, file);
  if (parsed.type === 'invalid') return parsed;
  const { document } = parsed;
  const {
    value,
    missing,
    variables: used,
  } = variables === 'left-alone' ? untouched(document.value) : substituteVariables(document.value, variables.from);
  const problems = missing.map(({ path, variable }) =>
    problemAt({ file, ...document.placeOf(path) }, path, 'missing-variable', missingVariable(variable)),
  );
  let checked = await checkConfig({ ...document, value });
  if (checked.type === 'invalid') {
    problems.push(...checked.problems);
    checked = await checkConfig({ ...document, value: withoutWrong(value, checked.wrong) });
  }
  if (checked.type === 'invalid') return { type: 'invalid', problems };
  problems.push(...ruleProblems(checked.value, file, document.placeOf, ['deny', 'ask']));
  const rest: ConfigFile = { file, config: checked.value, placeOf: document.placeOf, variables: used };
  return problems.length === 0 ? { type: 'read', file: rest } : { type: 'invalid', problems, rest };
}

/** Removes invalid values. An invalid element removes its whole list. */
function withoutWrong(value: unknown, wrong: readonly ConfigPath[]): unknown {
  const copy = structuredClone(value);
  for (const path of wrong) {
    const end = path.findIndex((part) => typeof part === 'number');
    const cut = end === -1 ? path : path.slice(0, end);
    const around = valueAt(copy, cut.slice(0, -1));
    const last = cut.at(-1);
    if (typeof around === 'object' && around !== null && last !== undefined) Reflect.deleteProperty(around, last);
  }
  return copy;
}

export function missingVariable(variable: string): string {
  return `the environment variable ${variable} is not set; set it, or write \${${variable}:-…} to give a default.`;
}

type ReadText =
  | { readonly type: 'read'; readonly text: string }
  | { readonly type: 'absent' }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

async function readIfThere(file: string): Promise<ReadText> {
  if (!existsSync(file)) return { type: 'absent' };
  try {
    return { type: 'read', text: await readFile(file, 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { type: 'absent' };
    const why = code === 'EISDIR' ? 'it is a folder' : (message.split(',')[0] ?? message);
    const problem = `can't read ${path.basename(file)}: ${why}.`;
    return { type: 'invalid', problems: [problemAt({ file, ...wholeFile }, [], 'unreadable', problem)] };
  }
}

function untouched(value: unknown): ReturnType<typeof substituteVariables> {
  return { value, missing: [], variables: new Map() };
}
