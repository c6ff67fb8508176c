/**
 * API keys from files: an endpoint's `apiKeyFile`, or `$RONDO_HOME/keys.json` (`{ "<endpoint>": "<key>" }`).
 *
 * 1. A file that others can read is rejected, with the command that fixes it.
 * 2. `keys.json` serves only the user's own endpoints: a project that names its server `anthropic` doesn't get that
 *    key.
 * 3. No message contains a key.
 * 4. A stored key also serves the built-in endpoint of its name, unless the environment has one.
 */
import { open, stat } from 'node:fs/promises';
import path from 'node:path';

import { isJsonObject, jsonIn } from '../kernel/json-object.ts';
import type { LayerName } from './config-layer.ts';
import { othersMay, readPrivateJson, updatePrivateJson } from './private-file.ts';
import type { Environment } from '../ports/environment.ts';

interface KeyWanted {
  readonly endpoint: string;
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
  /** The layer that defines the endpoint; `default` for built-in ones. */
  readonly layer: LayerName;
}

type FoundKey =
  | { readonly type: 'found'; readonly key: string; readonly from: string }
  | { readonly type: 'none' }
  | { readonly type: 'refused'; readonly file: string; readonly message: string };

export async function findKey(home: string, wanted: KeyWanted, env: Environment): Promise<FoundKey> {
  if (wanted.apiKey !== undefined && wanted.apiKey !== '') {
    return { type: 'found', key: wanted.apiKey, from: 'the configuration' };
  }
  if (wanted.apiKeyFile !== undefined) {
    const file = path.resolve(home, wanted.apiKeyFile.replace(/^~(?=[\\/])/, env['HOME'] ?? '~'));
    const read = await readSecret(file);
    if (read.type === 'absent')
      return refused(file, `the file doesn't exist; the endpoint ${wanted.endpoint} reads its key from it`);
    if (read.type === 'refused') return read;
    const key = read.text.trim();
    return key === '' ? refused(file, 'it is empty') : { type: 'found', key, from: file };
  }
  if (wanted.layer === 'project') return { type: 'none' };
  const file = path.join(home, 'keys.json');
  const read = await readSecret(file);
  if (read.type === 'absent') return { type: 'none' };
  if (read.type === 'refused') return read;
  const keys = parseKeys(read.text);
  if (keys === undefined) return refused(file, 'it must be a JSON object of endpoint names and keys');
  const key = keys.get(wanted.endpoint);
  return key === undefined ? { type: 'none' } : { type: 'found', key, from: file };
}

/** The variables that set the keys of built-in endpoints, the first one for a stored key. */
const variables: Readonly<Record<string, readonly [string, ...string[]]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
};

interface KeyedEnvironment {
  readonly env: Environment;
  /** Built-in endpoints whose key is stored, and not in the environment. */
  readonly stored: readonly string[];
  readonly keys: readonly string[];
}

/** The environment for models, with the stored keys of built-in endpoints. A file that can't be used adds none. */
export async function withStoredKeys(home: string, env: Environment): Promise<KeyedEnvironment> {
  const read = await readSecret(path.join(home, 'keys.json'));
  const keys = read.type === 'read' ? parseKeys(read.text) : undefined;
  const missing = [...(keys ?? [])].flatMap(([endpoint, key]) => {
    const names = variables[endpoint];
    return names === undefined || names.some((name) => (env[name] ?? '').trim() !== '')
      ? []
      : [{ endpoint, name: names[0], key }];
  });
  return {
    env: { ...env, ...Object.fromEntries(missing.map(({ name, key }) => [name, key])) },
    stored: missing.map(({ endpoint }) => endpoint),
    keys: [...(keys?.values() ?? [])],
  };
}

/** Changes when a key is stored, also by another process. */
export async function keysStamp(home: string): Promise<string> {
  return stat(path.join(home, 'keys.json')).then(
    ({ mtimeMs, ino, size }) => `${mtimeMs} ${ino} ${size}`,
    () => '',
  );
}

export async function storeKey(home: string, endpoint: string, key: string, at: number): Promise<void> {
  const withEntry = (entry: unknown) => (value: unknown) => ({
    ...(isJsonObject(value) && value),
    [endpoint]: entry,
  });
  await updatePrivateJson(path.join(home, 'keys.json'), withEntry(key));
  await updatePrivateJson(path.join(home, timesFile), withEntry(at));
}

/** When keys were stored, by endpoint. Beside the keys, because earlier versions refuse a `keys.json` with more. */
export async function keyTimes(home: string): Promise<ReadonlyMap<string, number>> {
  const value = await readPrivateJson(path.join(home, timesFile));
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return new Map(entries.flatMap(([name, at]) => (typeof at === 'number' ? [[name, at] as const] : [])));
}

const timesFile = 'key-times.json';

type Secret =
  | { readonly type: 'read'; readonly text: string }
  | { readonly type: 'absent' }
  | Extract<FoundKey, { type: 'refused' }>;

/** Checks the mode of the opened file, so that it can't be swapped in between. */
async function readSecret(file: string): Promise<Secret> {
  try {
    await using handle = await open(file, 'r');
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > 64 * 1024) return refused(file, "it isn't a small plain file");
    if (othersMay(stats.mode, 'read')) return refused(file, `other users can read it. Run: chmod 600 ${file}`);
    return { type: 'read', text: await handle.readFile('utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { type: 'absent' } : refused(file, `it can't be read (${code ?? 'unknown error'})`);
  }
}

function refused(file: string, why: string): Extract<FoundKey, { type: 'refused' }> {
  return { type: 'refused', file, message: `Ignoring key file ${file}: ${why}.` };
}

function parseKeys(text: string): ReadonlyMap<string, string> | undefined {
  const value = jsonIn(text);
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  return entries.every(([, key]) => typeof key === 'string') ? new Map(entries as [string, string][]) : undefined;
}
