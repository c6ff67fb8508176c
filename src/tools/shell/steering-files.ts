/**
 * Preserves files that control agents and CI (S7, second tier) while a command runs.
 *
 * 1. A change is reverted immediately, and the command's version becomes a call to `write` or `delete`: it is
 *    shown, checked, and made by Rondo if allowed. If nobody can be asked, it stays reverted.
 * 2. A file that the call named and that was checked with it is left alone.
 * 3. Only names at the top of a root are covered. Content is read again only if a file's stamp has changed.
 */
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { ToolRun } from '../../ports/tool.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { clearTheWay, linkOnTheWay } from '../../security/paths/link-on-the-way.ts';
import { steersAgents } from '../../security/paths/protected-names.ts';

/** A reverted change, with the command's version of the file. */
export interface SteeringChange {
  readonly file: string;
  readonly note: string;
  readonly wanted: Buffer | 'deleted';
}

interface HeldSteering {
  restore(): Promise<readonly SteeringChange[]>;
}

export async function holdSteering({ roots, facts }: Pick<ToolRun, 'roots' | 'facts'>): Promise<HeldSteering> {
  const before = await kept(roots);
  const isJudged = judgedFiles(facts);
  return {
    async restore() {
      const after = await kept(roots);
      const changes: SteeringChange[] = [];
      for (const file of new Set([...before.keys(), ...after.keys()])) {
        const [was, is] = [before.get(file), after.get(file)];
        if (is?.stamp === was?.stamp || isJudged(file, roots)) continue;
        if (was !== undefined && is !== undefined && was.content.equals(is.content)) continue;
        await clearTheWay(roots.find((root) => isBelow(file, root)) ?? path.dirname(file), file);
        await putBack(file, was);
        const note = `${file} controls agents, so the change was reverted. The user is asked whether to apply it.`;
        changes.push({ file, note, wanted: is?.content ?? 'deleted' });
      }
      return changes;
    },
  };
}

interface KeptFile {
  readonly stamp: string;
  readonly mode: number;
  readonly content: Buffer;
}

async function putBack(file: string, was: KeptFile | undefined): Promise<void> {
  await rm(file, { force: true });
  if (was === undefined) return;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, was.content, { mode: was.mode, flag: 'wx' });
  known.delete(file);
}

/** Outside the sandbox, the policy checked a path of the call by its name. Inside, nobody was asked about it. */
function judgedFiles(facts: ToolRun['facts']): (file: string, roots: readonly string[]) => boolean {
  const named = facts?.confined === true ? [] : (facts?.paths ?? []).filter(({ access }) => access === 'write');
  return (file, roots) => named.some((one) => roots.some((root) => path.resolve(root, one.path) === file));
}

/** A cache by path: commands are frequent and these files rarely change. */
const known = new Map<string, KeptFile>();

async function kept(roots: readonly string[]): Promise<ReadonlyMap<string, KeptFile>> {
  const found = new Map<string, KeptFile>();
  for (const file of (await Promise.all(roots.map(steeringIn))).flat()) {
    const one = await read(file).catch(() => undefined);
    if (one !== undefined) found.set(file, one);
  }
  return found;
}

async function read(file: string): Promise<KeptFile | undefined> {
  const { ctimeNs, ino, size, mode } = await lstat(file, { bigint: true });
  if (size > LARGEST) return undefined;
  const stamp = `${ino} ${size} ${ctimeNs}`;
  const last = known.get(file);
  if (last?.stamp === stamp) return last;
  const one = { stamp, mode: Number(mode) & 0o777, content: await readFile(file) };
  if (known.size > MOST_KNOWN) known.clear();
  known.set(file, one);
  return one;
}

const LARGEST = 256 * 1024;
const MOST_FILES = 500;
const MOST_KNOWN = 2_000;

async function steeringIn(root: string): Promise<readonly string[]> {
  const tops = await readdir(root).catch(() => []);
  const places = steersAgents.map((name) => name.split('/'));
  const found: string[] = [];
  for (const top of tops) {
    for (const [first, second] of places) {
      if (top.toLowerCase() !== first) continue;
      const place = path.join(root, top, ...(second === undefined ? [] : [second]));
      if (linkOnTheWay(root, place) === undefined) await collect(place, found);
    }
  }
  return found.slice(0, MOST_FILES);
}

/** Plain files only. Links aren't followed. */
async function collect(place: string, found: string[]): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats?.isFile() === true) found.push(place);
  if (stats?.isDirectory() !== true || found.length >= MOST_FILES) return;
  for (const name of (await readdir(place).catch((): string[] => [])).toSorted())
    await collect(path.join(place, name), found);
}
