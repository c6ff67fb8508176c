import type { DangerRule } from './danger-rule.ts';
import { isDisk, isTopLevel, isUnknown } from './danger-targets.ts';
import { segmentArguments, hasOption, optionLetters, runs, targetsOf, writesOf } from '../shell/segment-facts.ts';
import type { Segment } from '../shell/segment.ts';

export const DESTRUCTION_RULES: readonly DangerRule[] = [
  {
    id: 'delete-top-level',
    severity: 'deny',
    reason: 'deletes the root, a home folder, a system folder or everything here',
    matches: (segment) => isRecursiveDelete(segment) && targetsOf(segment).some(isTopLevel),
  },
  {
    id: 'delete-unknown',
    severity: 'ask',
    reason: 'recursively deletes a path known only at run time',
    matches: (segment) => isRecursiveDelete(segment) && targetsOf(segment).some(isUnknown),
  },
  {
    id: 'find-delete',
    severity: 'deny',
    reason: 'finds and deletes from the root, a home folder or a system folder',
    matches: (segment) => {
      if (
        !runs(segment, 'find') ||
        !segment.words.some((word) => word === '-delete' || /^-(?:exec|ok)(?:dir)?$/.test(word))
      )
        return false;
      const deletes = segment.words.some(
        (word) => word === '-delete' || /(?:^|\/)(?:rm|unlink|shred)$/.test(word),
      );
      const start = targetsOf(segment)[0];
      return deletes && start !== undefined && start.text !== '.' && isTopLevel(start);
    },
  },
  {
    id: 'move-top-level',
    severity: 'deny',
    reason: 'moves the root, a home folder or a system folder away',
    matches: (segment) =>
      runs(segment, 'mv') &&
      targetsOf(segment)
        .slice(0, -1)
        .some((target) => isTopLevel(target) && !/^(?:\.\/?|(?:\.\/)?\*)$/.test(target.text)),
  },
  {
    id: 'recursive-permissions',
    severity: 'deny',
    reason: 'changes owner or permissions of the root, a home folder or a system folder',
    matches: (segment) =>
      runs(segment, 'chmod', 'chown', 'chgrp', 'setfacl') &&
      hasOption(segment, 'R', '--recursive') &&
      targetsOf(segment)
        .slice(1)
        .some((target) => isTopLevel(target) && !/^\.\/?$|^\*$/.test(target.text)),
  },
  {
    id: 'make-filesystem',
    severity: 'deny',
    reason: 'formats or repartitions a disk',
    matches: (segment) =>
      /(?:^|\/)(?:mkfs(?:\.\w+)?|mke2fs|mkswap|wipefs|fdisk|sfdisk|cfdisk|parted|sgdisk|blkdiscard|hdparm)$/.test(
        segment.words[0] ?? '',
      ),
  },
  {
    id: 'write-disk',
    severity: 'deny',
    reason: 'writes to a disk device',
    matches: (segment) => writesOf(segment).some((target) => isDisk(target.text)),
  },
  {
    id: 'overwrite-files',
    severity: 'ask',
    reason: 'overwrites files irrecoverably',
    matches: (segment) =>
      runs(segment, 'shred', 'srm') || (runs(segment, 'truncate') && hasOption(segment, 's', '--size')),
  },
  {
    id: 'fork-bomb',
    severity: 'deny',
    reason: 'a function that starts itself endlessly (fork bomb)',
    matches: (segment) => {
      const name = segment.words[0];
      return (
        name !== undefined &&
        segment.via.includes(`function ${name}`) &&
        (segment.background || segment.pipe !== undefined)
      );
    },
  },
];

function isRecursiveDelete(segment: Segment): boolean {
  if (!runs(segment, 'rm', 'grm', 'rimraf')) return false;
  if (runs(segment, 'rimraf')) return true;
  // An option known only at run time could be -r.
  return (
    hasOption(segment, 'rR', '--recursive') ||
    segmentArguments(segment).some(
      (word) => word.dynamic && word.text.startsWith('$') && optionLetters(segment) === '',
    )
  );
}
