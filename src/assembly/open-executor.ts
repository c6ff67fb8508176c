/** An executor with a new session. A program's own parts replace the shipped ones. */
import type { Intent } from '../intent/words/intent.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { turnOf, type State } from '../kernel/state.ts';
import type { Session } from '../session/handle/session.ts';
import type { Workers } from '../workers/workers.ts';
import type { AgentSource } from './agents/agent-source.ts';
import { createExecutor, type Executor, type ExecutorOptions } from './executor.ts';

interface ExecutorPlace {
  readonly session: Session;
  readonly cwd: string;
  readonly agents: AgentSource;
  readonly workers: Workers;
  state(): Promise<State>;
  toolNames(state: State): Promise<readonly string[]>;
  unique(): string;
  /** The executor's own prompt compiler writes the system prompt of the session's turns. */
  compileWith(session: SessionId, system: (state: State) => Promise<string> | undefined): void;
}

export async function openExecutor(
  { transducer, configFactory, promptCompiler, agent }: ExecutorOptions,
  place: ExecutorPlace,
): Promise<Executor> {
  const { session, agents, workers, cwd } = place;
  const own = optional({ transducer, configFactory, promptCompiler });
  const isOwn = Object.keys(own).length > 0;
  const name = agent ?? agents.defaultAgent;
  const prompt = (await agents.get(name))?.prompt;
  const { system, ...executor } = createExecutor({
    session,
    cwd,
    workers,
    agent: name,
    hasAgent: async (other) => (await agents.get(other)) !== undefined,
    turns: agents.turns,
    tools: async () => place.toolNames(await place.state()),
    canAsk: async () => (await place.state()).mode.asks === 'anyone',
    unique: () => place.unique().slice(-8),
    ...(isOwn && { own }),
    ...(typeof prompt === 'string' && { opening: prompt }),
  });
  if (isOwn)
    place.compileWith(session.id, (state) => {
      const intent = turnOf(state)?.intent;
      return intent === undefined ? undefined : system(intent as Intent);
    });
  return executor;
}
