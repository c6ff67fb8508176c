import path from 'node:path';
import { Readable, Writable } from 'node:stream';

import type { McpServer } from '@agentclientprotocol/sdk';

import type { AgentHost } from '../../acp/agent/agent-host.ts';
import { createLocalClient } from '../../assembly/local-client.ts';
import { createLentBuffers } from '../../assembly/tools/lent-buffers.ts';
import { createLentServers } from '../../assembly/tools/lent-servers.ts';
import { rondoVersion } from '../../journal/rondo-version.ts';
import { speaksForPerson } from '../../processes/around-session.ts';
import { createSystemClock } from '../../runtime/system-clock.ts';
import type { CliCommand } from '../command.ts';
import { homeFolder } from '../home.ts';
import { commonOptions, parseOptions, storeOption } from '../option-table.ts';
import { saveIn } from '../save-file.ts';
import { createCatalog } from '../serve/catalog.ts';
import { agentList } from '../setup/agent-list.ts';
import { modelList } from '../setup/model-list.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { optional } from '../../kernel/optional.ts';

const options = {
  agent: { type: 'string', value: 'NAME', help: 'agent for new sessions (default: the default agent)' },
  ...storeOption,
  ...commonOptions,
} as const;

export const acpCommand: CliCommand = {
  usage: ['acp [--agent NAME]'],
  about: `Speaks the Agent Client Protocol on standard input and output, for editors. Sessions are ordinary Rondo sessions:
you can watch and answer them in the browser, and they continue after the editor closes. Exits when its input ends.`,
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const [{ agentProtocolRouter, ndJsonStream }, v1, v2, { holdUntilInitialized }] = await Promise.all([
      import('@agentclientprotocol/sdk/experimental/v2'),
      import('../../acp/agent/agent-app.ts'),
      import('../../acp/agent/v2/agent-app.ts'),
      import('../../acp/agent/hold-until-initialized.ts'),
    ]);
    const onProblem = (problem: string) => void process.stderr.write(`${problem}\n`);
    const lent = createLentServers({ clock: createSystemClock(), home: homeFolder(), onProblem });
    const buffers = createLentBuffers();
    const moreFolders = new Map<string, readonly string[]>();
    await using workspace = await openWorkspace({
      cwd: process.cwd(),
      tools: lent.tools,
      stages: [buffers.stage],
      moreRoots: (session) => moreFolders.get(session) ?? [],
      ...optional({ store: values.store }),
    });
    const { rondo, folders } = workspace;
    const catalog = createCatalog(workspace);
    const host: AgentHost = {
      version: rondoVersion(),
      mayDecide: speaksForPerson(),
      async create({ cwd, by }) {
        const folder = path.resolve(cwd);
        const rules = await (await folders.renew(folder)).rules();
        const { agent } = values;
        const made = { cwd: folder, by, rules, ...optional({ agent }) };
        const session = await rondo.sessions.create(made);
        // The editor now knows the id, and another process may load the session before its first prompt.
        await session.persist();
        return session;
      },
      async get(id) {
        const session = await rondo.sessions.get(id);
        return session?.id === id ? session : undefined;
      },
      list: async (query) => {
        const { entries, cursor } = await rondo.sessions.list({ ...query, limit: 100 });
        return { entries, ...optional({ next: cursor }) };
      },
      delete: async (id) => void (await rondo.sessions.delete(id)),
      fork: (id, by) => rondo.sessions.fork(id, { by }),
      choices: (cwd) => choicesIn(workspace, cwd),
      client: (by) => createLocalClient({ rondo, catalog, cwd: process.cwd(), by }),
      save: saveIn,
      lend: (session, servers) => lent.lend(session, Object.fromEntries(servers.map(serverEntry))),
      lendBuffers: buffers.lend,
      lendFolders: (session, list) => void moreFolders.set(session, list),
      onProblem,
    };
    const app = agentProtocolRouter().withV1(v1.createAgentApp(host)).withV2(v2.createAgentAppV2(host));
    const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;
    const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
    const connection = app.connect(holdUntilInitialized(ndJsonStream(output, input)));
    const leave = () => void process.stdin.destroy();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
    await connection.closed;
    return 0;
  },
};

async function choicesIn({ folders }: Workspace, cwd: string) {
  const { config, models } = await folders.in(cwd);
  const { agents } = await agentList(config);
  const listed = await modelList(config, await models());
  return {
    agents: agents.map(({ name, description }) => ({ name, description })),
    models: listed.map(({ id, why }) => ({ id, description: why })),
  };
}

/** Editors use any server name. Rondo accepts letters, digits, dashes and underscores. */
function serverEntry(server: McpServer): readonly [string, unknown] {
  const name = server.name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
  if ('command' in server) {
    const env = Object.fromEntries(server.env.map((one) => [one.name, one.value]));
    return [name, { command: server.command, args: server.args, env }];
  }
  if (!('url' in server)) return [name, server];
  const headers = Object.fromEntries(server.headers.map((one) => [one.name, one.value]));
  return [name, { url: server.url, headers, ...(server.type === 'sse' && { type: server.type }) }];
}
