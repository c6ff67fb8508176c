import { Fault } from '../../kernel/fault.ts';
import type { Backend } from '../../server/backend.ts';
import type { Workspace } from '../workspace.ts';

/** What a server serves: sessions and workers start under the rules, agents and models of the folder they work in. */
export function servedBy({ rondo, folders }: Pick<Workspace, 'rondo' | 'folders'>): Backend {
  async function setUpIn(cwd: string, model: string | undefined) {
    const folder = await folders.renew(cwd);
    const problem = model === undefined ? undefined : (await folder.models()).problemWith(model);
    if (problem !== undefined) throw new Fault('not-found', problem);
    return { rules: await folder.rules() };
  }
  return {
    ...rondo,
    sessions: {
      ...rondo.sessions,
      create: async (options) =>
        rondo.sessions.create({ ...options, ...(await setUpIn(options.cwd ?? '.', options.model)) }),
    },
    workers: {
      ...rondo.workers,
      create: async (name, options = {}) =>
        rondo.workers.create(name, { ...options, ...(await setUpIn(options.cwd ?? '.', options.model)) }),
    },
  };
}
