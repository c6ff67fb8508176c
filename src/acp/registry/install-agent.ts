/**
 * Installs an agent from a registry (S17): an exact version, no install scripts, and a recorded integrity. Nothing
 * is recorded unless everything succeeded.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { optional } from '../../kernel/optional.ts';
import type { InstalledAgent } from './installed-agents.ts';
import type { RegistryAgent } from './registry.ts';

export type Source =
  | { readonly type: 'npm'; readonly package: string; readonly args: readonly string[]; readonly env: Env }
  | {
      readonly type: 'archive';
      readonly archive: string;
      readonly command: string;
      readonly sha256?: string;
      readonly args: readonly string[];
      readonly env: Env;
    };

type Env = Readonly<Record<string, string>>;

/** Undefined if the agent isn't available for this platform. */
export function sourceOf({ distribution: { npx, binary } }: RegistryAgent, platform: string): Source | undefined {
  if (npx !== undefined) return { type: 'npm', package: npx.package, args: npx.args ?? [], env: npx.env ?? {} };
  const target = binary?.[platform];
  if (target === undefined) return undefined;
  const { archive, cmd, sha256, args = [], env = {} } = target;
  return { type: 'archive', archive, command: cmd, args, env, ...optional({ sha256 }) };
}

/** The registry's name for this machine, such as `linux-x86_64`. */
export function platformName(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `${system}-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
}

type Installation = Pick<InstalledAgent, 'from' | 'integrity' | 'command'>;

/** Installs into an empty folder. A string explains a failure, after which the folder is gone. */
export async function installAgent(source: Source, folder: string): Promise<Installation | string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const result = source.type === 'npm' ? await fromNpm(source, folder) : await fromArchive(source, folder);
  if (typeof result === 'string') await rm(folder, { recursive: true, force: true });
  return result;
}

async function fromNpm(source: Extract<Source, { type: 'npm' }>, folder: string): Promise<Installation | string> {
  const name = source.package.slice(0, source.package.lastIndexOf('@'));
  await writeFile(path.join(folder, 'package.json'), '{"private":true}\n');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--', source.package];
  const failed = await run('npm', words, folder);
  if (failed !== undefined) return `npm couldn't install ${source.package}: ${failed}`;
  try {
    const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as {
      readonly packages?: Readonly<Record<string, { readonly integrity?: string }>>;
    };
    const integrity = lock.packages?.[`node_modules/${name}`]?.integrity;
    if (integrity === undefined) return `npm reported no integrity for ${source.package}`;
    const about = JSON.parse(await readFile(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')) as {
      readonly bin?: string | Readonly<Record<string, string>>;
    };
    const program = programOf(name, about.bin);
    if (program === undefined) return `${source.package} has no command to start`;
    const command = path.join(folder, 'node_modules/.bin', program);
    await access(command, constants.X_OK);
    return { from: source.package, integrity, command };
  } catch (error) {
    return `${source.package} is incomplete: ${(error as Error).message}`;
  }
}

/** The package's command: the one with its name, or the only one. Several names may mean the same file. */
function programOf(name: string, bin: string | Readonly<Record<string, string>> | undefined): string | undefined {
  const short = name.slice(name.lastIndexOf('/') + 1);
  if (typeof bin === 'string') return short;
  const names = Object.keys(bin ?? {});
  const isOne = new Set(Object.values(bin ?? {})).size === 1;
  return names.find((one) => one === short) ?? (isOne ? names[0] : undefined);
}

async function fromArchive(
  source: Extract<Source, { type: 'archive' }>,
  folder: string,
): Promise<Installation | string> {
  const content = await download(source.archive);
  if (typeof content === 'string') return content;
  const digest = createHash('sha256').update(content).digest('hex');
  if (source.sha256 !== undefined && source.sha256 !== digest)
    return `the archive isn't what the registry describes: its SHA-256 is ${digest}, not ${source.sha256}`;
  const file = path.join(folder, 'archive');
  await writeFile(file, content, { mode: 0o600 });
  const failed = await run('tar', ['-xf', file, '--no-same-owner', '-C', folder], folder);
  await rm(file, { force: true });
  if (failed !== undefined) return `tar couldn't unpack ${source.archive}: ${failed}`;
  const command = path.resolve(folder, source.command);
  if (!command.startsWith(`${folder}${path.sep}`)) return `its command ${source.command} is outside the archive`;
  try {
    await access(command, constants.X_OK);
    // A link may lead out.
    if (!(await realpath(command)).startsWith(`${await realpath(folder)}${path.sep}`))
      return `its command ${source.command} is outside the archive`;
  } catch {
    return `its command ${source.command} isn't in the archive, or isn't executable`;
  }
  return { from: source.archive, integrity: `sha256-${digest}`, command };
}

/** Only HTTPS and local files. A string explains a failure. */
async function download(address: string): Promise<Buffer | string> {
  try {
    if (address.startsWith('file:')) return await readFile(fileURLToPath(address));
    if (!address.startsWith('https:')) return `${address} must start with https:`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(downloadMs) });
    if (!answer.url.startsWith('https:'))
      return `${address} redirects to ${answer.url}, which must start with https:`;
    if (!answer.ok) return `${address} answered with ${answer.status}`;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      if ((bytes += chunk.length) > mostBytes) return `${address} is larger than ${mostBytes / 1024 ** 2} MB`;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    return `can't download ${address}: ${(error as Error).message}`;
  }
}

const downloadMs = 10 * 60_000;
const mostBytes = 1024 ** 3;

/** Undefined if the program succeeded, else the end of what it wrote. */
async function run(program: string, words: readonly string[], cwd: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(program, words, { cwd, timeout: downloadMs });
    return undefined;
  } catch (error) {
    const { stderr = '', message } = error as { readonly stderr?: string; readonly message: string };
    return (stderr.trim() === '' ? message : stderr.trim()).slice(-500);
  }
}
