// Files with keys that a command would add to the index (S5). From there they reach commits, and a push sends them
// out.
import path from 'node:path';

import { findGitPlace } from '../../git/find-git-place.ts';
import { gitText, splitNul } from '../../git/run-git.ts';
import type { CallFacts } from '../../kernel/call.ts';
import { optional } from '../../kernel/optional.ts';
import { gitWords } from '../../security/shell/git-words.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { sensitivityOf } from '../../security/paths/paths.ts';
import type { Segment } from '../../security/shell/segment.ts';

type Danger = NonNullable<CallFacts['dangers']>[number];

interface Staging {
  /** Absolute paths. Empty for the whole work tree. */
  readonly paths: readonly string[];
  readonly isTrackedOnly: boolean;
}

/** What a segment stages. Undefined if it stages nothing. */
export function stagingOf(segment: Segment, folder: string): Staging | undefined {
  const [command, ...rest] = gitWords(segment);
  const has = (option: RegExp) => rest.some((word) => option.test(word));
  const isAdd = command === 'add' || command === 'stage';
  if (!isAdd && !(command === 'commit' && has(/^-[a-zA-Z]*a|^--all$/))) return undefined;
  const operands = isAdd ? rest.filter((word) => !word.startsWith('-')) : [];
  // A word known only at run time may be anything.
  const isOpen = operands.some((word) => /[*?[$`{~]/.test(word) || word.startsWith(':'));
  return {
    paths: isOpen ? [] : operands.map((word) => path.resolve(folder, word)),
    isTrackedOnly: !isAdd || has(/^-[a-zA-Z]*u|^--update$/),
  };
}

/** Always needs approval: staged files can be shown, committed and pushed. */
export async function secretDangers(
  folder: string,
  { paths, isTrackedOnly }: Staging,
  unit?: string,
): Promise<readonly Danger[]> {
  const place = await findGitPlace(folder);
  if (place.type !== 'place' || place.top === undefined) return [];
  const { top } = place;
  const others = isTrackedOnly ? [] : ['--others', '--exclude-standard'];
  const text = await gitText({
    cwd: top,
    place,
    dir: 'generated',
    args: ['ls-files', '-z', '--modified', ...others],
  });
  const files = typeof text === 'string' ? splitNul(text) : [];
  const secret = files.filter(
    (file) =>
      sensitivityOf(file) === 'secret' &&
      (paths.length === 0 || paths.some((chosen) => isBelow(path.join(top, file), chosen))),
  );
  const [first, ...more] = secret;
  if (first === undefined) return [];
  const reason = `stages ${first}${more.length === 0 ? '' : ` and ${more.length} more`}, which may contain keys. Add it to .gitignore if it must not be committed.`;
  return [{ rule: 'stage-secret', severity: 'ask', reason, ...optional({ unit }) }];
}
