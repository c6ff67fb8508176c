/** Hosts external agents in this process. Nothing of it is loaded before one is prompted. */
import type { AcpAgents, AgentLife } from '../../acp/client/external-agents.ts';
import type { AcpSettings, AgentMcpServer, AgentSpec } from '../../acp/client/agent-spec.ts';
import type { DescribeCall } from '../../acp/client/permission-call.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { withManaged } from '../../kernel/policy/permission.ts';
import { matchesTool, type Rule } from '../../kernel/rule.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import type { ExternalAgents } from '../../runtime/capabilities.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AgentOptions } from './agent-source.ts';
import type { Surroundings } from '../tools/session-tools.ts';
import type { Environment } from '../../ports/environment.ts';

interface ExternalAgentsParts {
  readonly clock: Clock;
  readonly env: Environment;
  /** The agent's definition in the session's folder. */
  readonly agent: (name: string, state: State) => Promise<AgentOptions | undefined>;
  readonly surroundings: (state: State) => Promise<Surroundings>;
  readonly managedRules: readonly Rule[];
  readonly settings?: Partial<AcpSettings>;
  readonly life?: AgentLife;
  /** Values to hide from agents' text, in addition to those of the environment. */
  readonly secrets?: readonly string[];
}

interface RunningExternalAgents extends ExternalAgents, AsyncDisposable {
  release(session: SessionId): Promise<void>;
}

export function lazyExternalAgents(parts: ExternalAgentsParts): RunningExternalAgents {
  let loading: Promise<AcpAgents> | undefined;
  let loaded: AcpAgents | undefined;
  let prompt: ExternalAgents['prompt'] | undefined;

  async function load(): Promise<AcpAgents> {
    const { createAcpAgents } = await import('../../acp/client/external-agents.ts');
    const [{ redactAgent }, { collectSecrets }] = await Promise.all([
      import('./redact-agent.ts'),
      import('../../security/secrets/secrets.ts'),
    ]);
    loaded = createAcpAgents({ ...parts, find, describe: await describeLikeOurs(parts.managedRules) });
    prompt = redactAgent(loaded.prompt, collectSecrets(parts.env, parts.secrets));
    return loaded;
  }

  async function find(name: string, state: State): Promise<AgentSpec | string> {
    const agent = await parts.agent(name, state);
    if (agent?.command === undefined) {
      return `Agent ${name} is an external agent, but has no command to start it.`;
    }
    const { args = [], env = {}, mcpServers, ...rest } = agent.command;
    const around = await parts.surroundings(state);
    // A list of single tools can't be enforced on servers that the agent itself talks to.
    const access = (turnOf(state)?.agent ?? state.agent).tools ?? 'all';
    const rules = [...parts.managedRules, ...state.rules];
    const shared = access === 'all' ? limitedBy(rules, around.mcpServers) : {};
    return { ...around, name, args, env, ...rest, mcpServers: { ...shared, ...mcpServers } };
  }

  return {
    async prompt(turn) {
      const agents = await (loading ??= load());
      return (prompt ?? agents.prompt)(turn);
    },
    answer: (answer) => loaded?.answer(answer),
    set: async (session, setting) => (await loading)?.set(session, setting),
    release: async (session) => loaded?.release(session),
    keeps: (session) => loaded?.keeps(session) ?? false,
    async [Symbol.asyncDispose]() {
      await (await loading)?.[Symbol.asyncDispose]();
    },
  };
}

/** Rules and lists of tools can't be enforced on servers that the agent itself talks to. */
function limitedBy(
  rules: readonly Rule[],
  servers: Surroundings['mcpServers'],
): Readonly<Record<string, AgentMcpServer>> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const tools = `mcp__${name.replaceAll(/[^\w-]/g, '_')}__`;
      const isLimited =
        (server.includeTools ?? server.excludeTools) !== undefined ||
        rules.some(
          (rule) => rule.verdict !== 'allow' && (rule.tool.startsWith(tools) || matchesTool(rule, tools)),
        );
      return [name, { ...server, isLimited }];
    }),
  );
}

/** The built-in tools describe what a call would do, no matter who runs it. */
async function describeLikeOurs(managed: readonly Rule[]): Promise<DescribeCall> {
  const [{ createDefaultTools }, { createReadLedger }, { createMemoryNotes }] = await Promise.all([
    import('../../tools/default-tools.ts'),
    import('../../tools/define/read-ledger.ts'),
    import('../../tools/talk/notes-tool.ts'),
  ]);
  const tools = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (name, args, context) => {
    const facts = await byName.get(name)?.describe(args, context);
    const unknown = { access: 'execute', repeat: 'never', order: 'exclusive', runs: 'tool' } as const;
    return withManaged(name, facts ?? unknown, managed);
  };
}
