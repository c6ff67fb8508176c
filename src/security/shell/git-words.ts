import { readOptions } from './read-options.ts';
import { runs } from './segment-facts.ts';
import type { Segment } from './segment.ts';
import { staticWord } from './shell-word.ts';
import { GIT_OPTIONS } from './unwrap-git.ts';

/** The words of a git command from its subcommand on. Empty if it isn't a git command. */
export function gitWords(segment: Segment): readonly string[] {
  if (!runs(segment, 'git')) return [];
  return segment.words.slice(readOptions(segment.words.map(staticWord), 1, GIT_OPTIONS).next);
}
