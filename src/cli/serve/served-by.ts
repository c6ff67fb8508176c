import { Fault } from '../../kernel/fault.ts';
import type { Backend } from '../../server/backend.ts';
import type { Workspace } from '../workspace.ts';

/** The server's backend. Sessions and workers start with the rules, agents and models of their own folder. */
export function servedBy({ rondo, folders }: Pick<Workspace, 'rondo' | 'folders'>): Backend {
  async function setUp<Setup extends { readonly cwd?: string; readonly model?: string }>(wanted: Setup) {
    const folder = await folders.renew(wanted.cwd ?? '.');
    const problem = wanted.model === undefined ? undefined : (await folder.models()).problemWith(wanted.model);
    if (problem !== undefined) throw new Fault('not-found', problem);
    return { ...wanted, rules: await folder.rules() };
  }
  return {
    ...rondo,
    sessions: {
      ...rondo.sessions,
      create: async (wanted) => rondo.sessions.create(await setUp(wanted)),
      continue: async (id, wanted) => rondo.sessions.continue(id, await setUp(wanted)),
      createOnce: (wanted, creation) => rondo.sessions.createOnce(async () => setUp(await wanted()), creation),
    },
    workers: {
      ...rondo.workers,
      create: async (name, wanted = {}) => rondo.workers.create(name, await setUp(wanted)),
    },
  };
}
