import { randomBytes } from 'node:crypto';
import path from 'node:path';

/** The name of new content beside its target until it takes the target's place. */
export function unfinishedName(target: string): string {
  return path.join(path.dirname(target), `.${randomBytes(6).toString('hex')}.rondo-tmp`);
}

/** True for a file that is being written, or that a killed process left behind. */
export function isUnfinished(file: string): boolean {
  return /^\.[0-9a-f]{12}\.rondo-tmp$/.test(path.basename(file));
}

/** Makes `git add` take all of a folder but unfinished files. */
export const allFinished: {
  readonly paths: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
} = {
  paths: ['--', '.', `:(exclude,glob)**/.${'[0-9a-f]'.repeat(12)}.rondo-tmp`],
  environment: { GIT_LITERAL_PATHSPECS: '0' },
};
