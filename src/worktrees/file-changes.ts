import type { GitFailure } from '../git/git-call.ts';
import type { SessionFileChange } from '../ports/session-changes.ts';
import { sensitivityOf } from '../security/paths/paths.ts';

type AskGit = (args: readonly string[]) => Promise<string | GitFailure>;

export interface DiffOptions {
  /** Include the patch, except of files that hold keys. A long patch is cut and marked as such. */
  readonly patch?: boolean;
  readonly patchBytes?: number;
  readonly paths?: readonly string[];
}

/** The changed files by path, relative to the folder git runs in. */
export async function fileChanges(
  git: AskGit,
  from: string,
  to: string,
  options: DiffOptions = {},
): Promise<readonly SessionFileChange[] | GitFailure> {
  const range = ['--relative', '-M', '--no-ext-diff', '--no-textconv', from, to, '--', ...(options.paths ?? [])];
  const names = await git(['diff-tree', '-r', '-z', '--name-status', ...range]);
  if (typeof names !== 'string') return names;
  const numbers = await git(['diff-tree', '-r', '-z', '--numstat', ...range]);
  if (typeof numbers !== 'string') return numbers;
  const patches = options.patch === true ? await git(['diff-tree', '-r', '-p', ...range]) : '';
  if (typeof patches !== 'string') return patches;
  const counts = readNumbers(numbers);
  const named = readNames(names);
  const texts = patchesOf(named, patches);
  const limit = options.patchBytes ?? 200_000;
  return named.map((one, index) => {
    const patch = holdsSecrets(one) ? undefined : texts[index];
    return { ...one, ...counts.get(one.path), ...(patch !== undefined && { patch: cut(patch, limit) }) };
  });
}

/** In git's order, one per file; if its type changed, two. None at all if that doesn't add up. */
function patchesOf(named: readonly Named[], text: string): readonly string[] {
  const pieces = text === '' ? [] : text.split(/^(?=diff --git )/m);
  let at = 0;
  const paths = named.map(({ status }) => {
    const from = at;
    at += status === 'type-changed' ? 2 : 1;
    return pieces.slice(from, at).join('');
  });
  return at === pieces.length ? paths : [];
}

/** Anyone who may see that a file changed may not see its keys (S5). */
function holdsSecrets({ path, from = path }: Named): boolean {
  return [path, from].some((name) => sensitivityOf(name) === 'secret');
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}\n[cut: ${text.length - limit} characters more]\n`;
}

type Named = Pick<SessionFileChange, 'path' | 'from' | 'status'>;

function readNames(text: string): readonly Named[] {
  const parts = text.split('\0');
  const names: Named[] = [];
  for (let at = 0; at + 1 < parts.length;) {
    const code = parts[at] ?? '';
    const first = parts[at + 1] ?? '';
    const status = STATUS[code[0] ?? ''] ?? 'modified';
    if (status === 'renamed') {
      names.push({ path: parts[at + 2] ?? '', from: first, status });
      at += 3;
    } else {
      names.push({ path: first, status });
      at += 2;
    }
  }
  return names;
}

const STATUS: Readonly<Record<string, SessionFileChange['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type-changed',
};

/** `added TAB removed TAB path NUL`; of a moved file `added TAB removed TAB NUL old NUL new NUL`. */
function readNumbers(text: string): ReadonlyMap<string, Pick<SessionFileChange, 'added' | 'removed'>> {
  const parts = text.split('\0');
  const counts = new Map<string, Pick<SessionFileChange, 'added' | 'removed'>>();
  for (let at = 0; at < parts.length; at += 1) {
    const [added, removed, name] = (parts[at] ?? '').split('\t');
    if (added === undefined || removed === undefined || name === undefined) continue;
    const file = name === '' ? (parts[at + 2] ?? '') : name;
    if (name === '') at += 2;
    counts.set(file, added === '-' ? {} : { added: Number(added), removed: Number(removed) });
  }
  return counts;
}
