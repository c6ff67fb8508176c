/** The server's catalog, backed by the workspace. */
import { keyTimes, storeKey } from '../../agents/keys.ts';
import { findProject } from '../../agents/project.ts';
import { ownVerbs } from '../../assembly/agents/intent-extensions.ts';
import { answerWithin } from '../../commands/answer-within.ts';
import { optional } from '../../kernel/optional.ts';
import { listSavedRules, revokeRule } from '../../agents/saved-rules.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { ruleToText } from '../../kernel/rule.ts';
import { newState } from '../../kernel/state.ts';
import type { Catalog } from '../../server/backend.ts';
import type { FileIndex } from '../../tools/search/file-index.ts';
import { agentList } from '../setup/agent-list.ts';
import type { Workspace } from '../workspace.ts';

export function createCatalog({ home, folders, texts }: Pick<Workspace, 'home' | 'folders' | 'texts'>): Catalog {
  const textsIn = (cwd: string, id: SessionId = noSession) => texts({ id, cwd });
  let names: FileIndex | undefined;
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
        ...optional({ model }),
      }));
    },
    async models(cwd) {
      const { modelList } = await import('../setup/model-list.ts');
      const { config, models } = await folders.renew(cwd);
      const [list, times] = await Promise.all([
        models().then((found) => modelList(config, found)),
        keyTimes(home),
      ]);
      return list.map((model) => ({ ...model, ...optional({ keySetAt: times.get(model.provider) }) }));
    },
    async tools(cwd) {
      const { tools } = await folders.renew(cwd);
      const offered = await tools.offered({ ...newState(noSession), cwd });
      return offered.map(({ name, description, parameters }) => ({ name, description, parameters }));
    },
    async commands(cwd, session) {
      const prompts = answerWithin(
        textsIn(cwd, session).then((served) => served?.commands() ?? []),
        listMs,
        [],
      );
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
        ...(await prompts),
      ];
    },
    resources: (cwd, session) =>
      answerWithin(
        textsIn(cwd, session).then((served) => served?.mentions() ?? []),
        listMs,
        [],
      ),
    async skills(cwd) {
      const skills = await (await folders.renew(cwd)).skills();
      return skills.map(({ name, description, from }) => ({ name, description, from }));
    },
    async mcpServers(cwd) {
      const { configuredServers } = await import('../mcp/list-servers.ts');
      return configuredServers((await folders.renew(cwd)).config);
    },
    setKey: (endpoint, key) => storeKey(home, endpoint, key, Date.now()),
    rules: {
      list: () => listSavedRules(home),
      async standing(cwd) {
        const { config } = await folders.renew(cwd);
        return config.rules.map((rule) => ({
          rule: ruleToText(rule),
          verdict: rule.verdict,
          origin: rule.origin,
        }));
      },
      revoke: async (id) => (await revokeRule(home, id)) !== undefined,
    },
    async files({ cwd, q, limit }) {
      const { createFileIndex } = await import('../../tools/search/file-index.ts');
      names ??= createFileIndex();
      return names.search({ root: (await findProject(cwd, home)).root, cwd, q, limit });
    },
  };
}

/** Servers are started here as for this session. */
const noSession = 'ses_0' as SessionId;

/** A list doesn't wait for a slow server. Once it has started, the next list has its items. */
const listMs = 5_000;
