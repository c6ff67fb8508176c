import type { OfflineRequest } from './offline-request.ts';
import type { Plan, PlanEnd } from './plan.ts';
import type { OfflineSkill } from './skill.ts';
import { appendText } from './skills/append-text.ts';
import { commitChanges } from './skills/commit-changes.ts';
import { countLines } from './skills/count-lines.ts';
import { createFile } from './skills/create-file.ts';
import { delegateWork } from './skills/delegate-work.ts';
import { deleteFile } from './skills/delete-file.ts';
import { explainFile } from './skills/explain-file.ts';
import { findFiles } from './skills/find-files.ts';
import { introduce } from './skills/introduce.ts';
import { overview } from './skills/overview.ts';
import { howToInstall, whichDependencies, whichVersion } from './skills/project-facts.ts';
import { readFile } from './skills/read-file.ts';
import { renameFile } from './skills/rename-file.ts';
import { renameSymbol } from './skills/rename-symbol.ts';
import { replaceText } from './skills/replace-text.ts';
import { runShellCommand } from './skills/run-command.ts';
import { runTests } from './skills/run-tests.ts';
import { searchText } from './skills/search-text.ts';
import { showChanges } from './skills/show-changes.ts';
import { showHistory } from './skills/show-history.ts';
import { summariseSession } from './skills/summarise-session.ts';
import { undoLast } from './skills/undo-last.ts';

/** In matching order: the most specific first. */
export const offlineSkills: readonly OfflineSkill[] = [
  runShellCommand,
  replaceText,
  appendText,
  createFile,
  renameFile,
  renameSymbol,
  deleteFile,
  delegateWork,
  commitChanges,
  undoLast,
  summariseSession,
  runTests,
  showHistory,
  showChanges,
  countLines,
  howToInstall,
  whichVersion,
  whichDependencies,
  findFiles,
  introduce,
  readFile,
  explainFile,
  overview,
  searchText,
];

interface SkillMatch {
  readonly skill: OfflineSkill;
  readonly plan: Plan<PlanEnd>;
}

export function serve(request: OfflineRequest): SkillMatch | undefined {
  for (const skill of offlineSkills) {
    const plan = skill.plan(request);
    if (plan !== undefined) return { skill, plan };
  }
  return undefined;
}
