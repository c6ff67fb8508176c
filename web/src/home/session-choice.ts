/** The user's choices for a new session. All except the prompt are remembered for the next one. */
import { titleFrom } from '../../../src/kernel/evolve/title.ts';
import { isOwnWorktree, projectName, type SessionList } from '../../../src/views/session-row.ts';
import type { WireCreate } from '../../../src/protocol/input-schema.ts';

export interface Choice {
  prompt: string;
  agent: string;
  mode: string;
  model: string;
  cwd: string;
  worktree: boolean;
  /** A repository to clone, and its branch, tag or commit. */
  repository: string;
  ref: string;
  /** The form field's value. `null` means no limit. */
  cost: number | null;
  tokens: number | null;
  steps: number | null;
}

const key = 'rondo.new-session';
const standard: Choice = {
  prompt: '',
  agent: '',
  mode: 'interactive',
  model: '',
  cwd: '',
  worktree: false,
  repository: '',
  ref: '',
  cost: null,
  tokens: null,
  steps: null,
};

/** Sends only what differs from the defaults. */
export function sessionRequest(choice: Choice): WireCreate {
  const { prompt, agent, mode, model, cwd, worktree, repository, ref, cost, tokens, steps } = choice;
  const url = repository.trim();
  // The branch is named after the title, so it can't wait for the prompt.
  const title = worktree || url !== '' ? titleFrom(prompt) : '';
  const limits = {
    ...(isLimit(cost) && { cost }),
    ...(isLimit(tokens) && { tokens }),
    ...(isLimit(steps) && { steps }),
  };
  return {
    ...(agent !== '' && { agent }),
    ...(mode !== 'interactive' && { mode }),
    ...(model.trim() !== '' && { model: model.trim() }),
    // A clone is its own folder.
    ...(url === '' && cwd.trim() !== '' && { cwd: cwd.trim() }),
    ...(url === '' && worktree && { worktree }),
    ...(url !== '' && { repository: { url, ...(ref.trim() !== '' && { ref: ref.trim() }) } }),
    ...(title !== '' && { title }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

export function rememberedChoice(): Choice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return { ...standard, ...(kept as Partial<Choice>), prompt: '' };
  } catch {
    return { ...standard };
  }
}

export function isChoiceRemembered(): boolean {
  return localStorage.getItem(key) !== null;
}

/** The folder of the project on the page, or of the one that was used last. Empty for the server folder. */
export function likelyFolder(
  projects: SessionList['projects'],
  { serverFolder, shown }: { readonly serverFolder: string; readonly shown: string | undefined },
): string {
  const server = projectName(serverFolder);
  const usable = projects.filter(({ name, cwd }) => name === server || !isOwnWorktree(cwd));
  const likely =
    usable.find(({ name }) => name === shown) ?? usable.toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
  return likely === undefined || likely.name === server ? '' : likely.cwd;
}

export function rememberChoice(choice: Choice): void {
  localStorage.setItem(key, JSON.stringify({ ...choice, prompt: '' }));
}

function isLimit(value: number | null): value is number {
  return value !== null && value > 0;
}

export type ProblemField = 'repository' | 'folder' | 'worktree' | 'agent' | 'model' | 'session';

/** The choice that the server's refusal is about. */
export function problemField(message: string, { repository }: Pick<Choice, 'repository'>): ProblemField {
  if (repository.trim() !== '') return 'repository';
  if (/worktree|repository|git /i.test(message)) return 'worktree';
  if (/folder|director|cwd/i.test(message)) return 'folder';
  if (/model/i.test(message)) return 'model';
  return /agent/i.test(message) ? 'agent' : 'session';
}
