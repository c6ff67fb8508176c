/** Parts of a repository that a bundle of its commits and files can't hold, in words for people and models. */
import { gitText, splitNul } from '../git/run-git.ts';

export async function unsavedParts(folder: string): Promise<readonly string[]> {
  const look = async (...args: readonly string[]) => {
    const text = await gitText({ cwd: folder, dir: 'generated', args });
    return typeof text === 'string' ? text : '';
  };
  const submodules = splitNul(await look('ls-files', '--stage', '-z')).flatMap((line) =>
    line.startsWith('160000 ') ? [line.slice(line.indexOf('\t') + 1)] : [],
  );
  const attributes = await look('grep', '--files-with-matches', '-e', 'filter=lfs');
  const usesLfs = attributes.split('\n').some((file) => /(?:^|\/)\.gitattributes$/.test(file));
  return [
    ...(submodules.length === 0
      ? []
      : [
          `submodules (${list(submodules)}): run \`git submodule update --init\`; changes inside them were not saved`,
        ]),
    ...(usesLfs
      ? ['Git LFS files: run `git lfs pull`; objects that were never pushed are on the other machine only']
      : []),
  ];
}

function list(paths: readonly string[]): string {
  const more = paths.length - mostShown;
  return `${paths.slice(0, mostShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const mostShown = 5;
