/** The contributions of a session's agent, as its folder configures it, at each point of a turn. */
import { expandFileCommand } from '../../agents/file-commands.ts';
import type { AgentRef } from '../../kernel/agent.ts';
import type { Attachment } from '../../kernel/content.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import type { Capabilities } from '../../runtime/capabilities.ts';
import type { Translation } from '../../session/client-input.ts';
import { mayNameServer, type ServerTexts } from '../../tools/mcp/server-texts.ts';
import { agentRefOf, type AgentSource } from './agent-source.ts';

type Briefing = Required<Capabilities['briefing']> & {
  readonly ref: (name: string, state: State) => Promise<AgentRef | undefined>;
  /** The meaning of a prompt that arrives now. */
  readonly prompted: NonNullable<Translation['understand']>;
  readonly expand: NonNullable<Translation['expand']>;
};

export function createBriefing(
  agentsIn: (cwd: string) => AgentSource | Promise<AgentSource>,
  toolNames: (state: State) => Promise<readonly string[]>,
  /** The system text of a session that a program's own parts compile. */
  compiled: (state: State) => Promise<string> | undefined = () => undefined,
  /** Folders that a session may touch besides its own. */
  moreRoots: (session: SessionId) => readonly string[] = () => [],
  /** Prompts and resources of the session's MCP servers. */
  texts: (state: State) => Promise<ServerTexts | undefined> = async () => undefined,
  /** The conversations that a prompt mentions. A string explains what isn't there. */
  sessions: (text: string) => Promise<readonly Attachment[] | string> = async () => [],
): Briefing {
  const named = (name: string, { cwd }: State) => whenKnown(agentsIn(cwd), (agents) => agents.get(name));
  /** A turn keeps the agent it started with, even if the session's agent has changed. */
  const ofTurn = (state: State) => named(turnOf(state)?.agent.name ?? state.agent.name, state);
  const place = (state: State) => ({ state, tools: () => toolNames(state) });

  return {
    system: (state) =>
      compiled(state) ??
      whenKnown(ofTurn(state), (agent) => {
        const prompt = agent?.prompt ?? '';
        return typeof prompt === 'string' ? prompt : toolNames(state).then((names) => prompt(state, names));
      }),
    roots: (state) => [state.cwd, ...moreRoots(state.id)],
    rules: async ({ cwd }) => (await agentsIn(cwd)).rules?.(),
    understand: async (state, prompt) => (await ofTurn(state))?.askModel?.(prompt, place(state)),
    clarified: async (answer, state) => (await ofTurn(state))?.clarified?.(answer, place(state)),
    prompted: (text, state) =>
      whenKnown(named(state.agent.name, state), (agent) => agent?.understand?.(text, place(state))),
    async expand(text, state) {
      const commands = await (await agentsIn(state.cwd)).commands?.();
      const file = commands === undefined ? undefined : expandFileCommand(text, commands);
      const own: readonly Attachment[] =
        file === undefined
          ? []
          : [{ name: `/${file.command.name}`, mediaType: 'text/markdown', content: file.text }];
      const served = mayNameServer(text) ? await (await texts(state))?.expand(text) : undefined;
      if (typeof served === 'string') return { code: 'invalid', message: served };
      const mentioned = await sessions(text);
      if (typeof mentioned === 'string') return { code: 'invalid', message: mentioned };
      return [...own, ...(served ?? []), ...mentioned];
    },
    async ref(name, state) {
      const agent = await named(name, state);
      return agent === undefined ? undefined : agentRefOf(name, agent);
    },
  };
}

/** Synchronous if possible: every step of a turn requests a program's agents. */
function whenKnown<Value, Next>(
  value: Value | Promise<Value>,
  then: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(then) : then(value);
}
