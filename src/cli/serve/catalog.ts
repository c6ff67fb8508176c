/** The server's catalog, backed by the workspace. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { updatePrivateJson } from '../../agents/private-file.ts';
import { findProject } from '../../agents/project.ts';
import { ownVerbs } from '../../assembly/agents/intent-extensions.ts';
import { optional } from '../../kernel/optional.ts';
import { listSavedRules, revokeRule } from '../../agents/saved-rules.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState } from '../../kernel/state.ts';
import type { Catalog } from '../../server/backend.ts';
import { agentList } from '../setup/agent-list.ts';
import type { Workspace } from '../workspace.ts';

/** How many names completion checks in a large folder. */
const mostNames = 20_000;

export function createCatalog({ home, folders }: Pick<Workspace, 'home' | 'folders'>): Catalog {
  return {
    async agents(cwd) {
      const { agents } = await agentList((await folders.renew(cwd)).config);
      return agents.map(({ name, description, runs, layer: from, tools, isDefault, model }) => ({
        name,
        description,
        runs,
        from,
        tools,
        isDefault,
        ...(model !== undefined && { model }),
      }));
    },
    async models(cwd) {
      const { modelList } = await import('../setup/model-list.ts');
      const { config, models } = await folders.renew(cwd);
      return modelList(config, await models());
    },
    async tools(cwd) {
      const { tools } = await folders.renew(cwd);
      const offered = await tools.offered({ ...newState('ses_0' as SessionId), cwd });
      return offered.map(({ name, description, parameters }) => ({ name, description, parameters }));
    },
    async commands(cwd) {
      const { agents, config } = await folders.renew(cwd);
      const verbs = await ownVerbs(config);
      const files = ((await agents.commands?.()) ?? []).filter(({ name }) => !verbs.includes(name));
      return [
        ...verbs.map((name) => ({
          name,
          summary: 'verb of this project',
          hint: 'task',
          from: 'project' as const,
        })),
        ...files.map(({ name, summary, hint, from }) => ({ name, summary, ...optional({ hint }), from })),
      ];
    },
    async skills(cwd) {
      const skills = await (await folders.renew(cwd)).skills();
      return skills.map(({ name, description, from }) => ({ name, description, from }));
    },
    setKey: (endpoint, key) =>
      updatePrivateJson(path.join(home, 'keys.json'), (value) => ({
        ...(value as object | undefined),
        [endpoint]: key,
      })),
    rules: {
      list: () => listSavedRules(home),
      revoke: async (id) => (await revokeRule(home, id)) !== undefined,
    },
    async files({ cwd, q, limit }) {
      const { walkFiles } = await import('../../tools/search/walk-files.ts');
      const wanted = q.toLowerCase();
      const found: { readonly path: string; readonly rank: number }[] = [];
      let seen = 0;
      const { root } = await findProject(cwd, home);
      for (const { relative, kind } of walkFiles({ root, start: await realpath(cwd) })) {
        seen += 1;
        if (seen > mostNames) break;
        const rank = kind === 'file' ? rankOf(relative.toLowerCase(), wanted) : undefined;
        if (rank !== undefined) found.push({ path: relative, rank });
      }
      return found
        .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length)
        .slice(0, limit)
        .map((file) => file.path);
    },
  };
}

/** Exact name first, then its prefix, then anywhere in the path, then letter by letter. */
function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  let at = 0;
  for (const char of path) if (char === wanted[at]) at += 1;
  return at === wanted.length ? 3 : undefined;
}
