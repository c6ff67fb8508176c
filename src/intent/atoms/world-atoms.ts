/** The current state of the project, and what it means for the work. */
import type { PromptAtom } from '../words/prompt-atom.ts';
import { defineAtom } from './define-atom.ts';

function world(state: string, priority: number, content: string, concise: string, min: string): PromptAtom {
  return defineAtom('world_state', {
    id: `world/${state}`,
    priority,
    when: { world_state: [state] },
    content,
    concise,
    min,
  });
}

export const worldAtoms: readonly PromptAtom[] = [
  world(
    'failing_tests',
    70,
    `Some tests fail already. Find out which before you change anything, so that you can tell your own failures from those that were there. Do not fix, skip or loosen them unless that is the task.`,
    `Some tests fail already: note which before you start; do not loosen them.`,
    `Tests fail already; note which.`,
  ),
  world(
    'diagnostics',
    60,
    `The compiler or linter reports problems already. Leave no new ones; mention those in files you touch.`,
    `There are diagnostics already: add none.`,
    `Add no diagnostics.`,
  ),
  world(
    'large_refactor',
    65,
    `The request reaches over many files. Agree on the plan first, keep each step working, and say after each how much is left.`,
    `Many files: agree on a plan, keep each step working.`,
    `Many files: plan, then small steps.`,
  ),
  world(
    'security_issues',
    75,
    `Known security problems are open in this project. Do not widen them, do not describe how to exploit them beyond what a fix needs, and put fixes to them before improvements.`,
    `Security problems are open: do not widen them; fixes come first.`,
    `Security fixes first.`,
  ),
  world(
    'new_files',
    40,
    `There are new files that are not committed. They may be somebody's unfinished work: do not overwrite, move or delete them without a word.`,
    `New uncommitted files may be someone's work: leave them.`,
    `Leave uncommitted files alone.`,
  ),
  world(
    'high_churn',
    40,
    `The files in question change often. Read them again just before you edit, keep the change narrow, and look at recent commits for work in progress.`,
    `These files change often: read again before editing, stay narrow.`,
    `Read again before editing.`,
  ),
];
