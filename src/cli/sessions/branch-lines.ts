import type { Branch, BranchNode } from '../../session/branch/branch-tree.ts';
import { oneLine } from '../../views/one-line.ts';
import { counted } from '../../wording/counted.ts';
import type { Terminal } from '../../wording/terminal-style.ts';

/** The tree of branches, one line each. Marks the requested session. */
export function branchLines(root: BranchNode, asked: string, { paint }: Terminal): readonly string[] {
  const named = ({ session, title, events }: BranchNode) =>
    [
      session === asked ? paint.strong(session) : session,
      ...(title === '' ? [] : [oneLine(title)]),
      paint.quiet(counted(events, 'event')),
      ...(session === asked ? ['<- this one'] : []),
    ].join('  ');
  const below = (node: BranchNode, indent: string): readonly string[] =>
    node.branches.flatMap((branch, index) => {
      const isLast = index === node.branches.length - 1;
      const line = `${indent}${isLast ? '└─' : '├─'} ${branchText(branch)}`;
      if (branch.type !== 'fork') return [line];
      return [`${line}${named(branch.node)}`, ...below(branch.node, `${indent}${isLast ? '   ' : '│  '}`)];
    });
  return [named(root), ...below(root, '')];
}

function branchText(branch: Branch): string {
  switch (branch.type) {
    case 'fork':
      return `forked at ${branch.at}: `;
    case 'rewound':
      return `at ${branch.at} rewound the conversation to ${branch.to}`;
    case 'files-restored':
      return `at ${branch.at} restored the files of ${branch.to}`;
  }
}
