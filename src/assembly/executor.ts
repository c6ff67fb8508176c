/**
 * Just-in-time agents for programs. A sentence becomes an intent, and the intent becomes a persona with tools,
 * rules and a prompt. The work runs in this executor's session or, if it is large, in a separate sub-agent.
 */
import type { AgentDefinition } from '../agents/agent-definition.ts';
import { assistant } from '../agents/default-agent.ts';
import type { CompiledTurn } from '../intent/turn/compile-turn.ts';
import type { Intent } from '../intent/words/intent.ts';
import type { IntentParts } from '../intent/turn/intent-parts.ts';
import { explainTurn, type TurnExplanation } from '../intent/why.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Clarify } from '../kernel/meaning.ts';
import type { Answer } from '../kernel/question.ts';
import type { WorkerKind } from '../ports/job-queue.ts';
import type { ChatOptions, Reply, Session } from '../session/handle/session.ts';
import type { Job, JobResult } from '../workers/job.ts';
import type { Workers } from '../workers/workers.ts';
import type { CreateOptions } from './rondo-options.ts';
import { shippedCompilation, type TurnCompilation } from './agents/turn-compilation.ts';
import { optional } from '../kernel/optional.ts';

/** Sentences in, configured turns or sub-agents out. */
export interface Executor {
  readonly session: SessionId;
  /**
   * Understands, compiles and executes one request. If the request is unclear, the session asks first, like any
   * other question, and the reply needs input. Answer it there, or with `answer`.
   */
  process(text: string, options?: ChatOptions): Promise<Processed>;
  /** Answers a question from `process`, and waits for the request's outcome. */
  answer(question: string, answer: Answer): Promise<Reply>;
  readonly spawner: IntentSpawner;
}

type Processed = {
  readonly intent: Intent;
  readonly persona: string;
  readonly why: TurnExplanation;
  /**
   * What was unclear. `open`: the question is open. `guessed`: nobody can be asked in this mode, so the intent is a
   * guess.
   */
  readonly unclear?: Clarify & { readonly taken: 'open' | 'guessed' };
} & (
  | { readonly runs: 'inline'; readonly reply: Reply }
  | { readonly runs: 'isolated'; readonly result: JobResult }
);

interface IntentSpawner {
  /**
   * Starts a sub-agent for an intent, served by its persona's specialist: the project's file of that name, else one
   * built from the persona, else the executor's own agent.
   *
   * - `ephemeral`: one task.
   * - `persistent`: the next task of the same name knows the previous ones.
   * - `system`: long-running. Its history is saved after every task and restored at start.
   */
  spawnForIntent(
    intent: Intent,
    task: string,
    options?: { readonly type?: WorkerKind; readonly name?: string },
  ): Promise<Job>;
}

interface ExecutorParts {
  readonly session: Session;
  readonly cwd: string;
  readonly workers: Workers;
  readonly agent: string;
  /** True if an agent of this name exists. Rejects if its file is unusable. */
  readonly hasAgent: (name: string) => Promise<boolean>;
  readonly tools: () => Promise<readonly string[]>;
  /** True if the session's mode allows questions. */
  readonly canAsk: () => Promise<boolean>;
  readonly unique: () => string;
  /** The project's own verbs, configs and rules. Default: the shipped ones. */
  readonly turns?: (() => Promise<TurnCompilation>) | undefined;
  /** The program's own parts. */
  readonly own?: IntentParts;
  /** The start of the prompt of the session's agent, if the program provides one. */
  readonly opening?: string | undefined;
}

/** The options of the executor's session, and the program's own parts. */
export interface ExecutorOptions extends CreateOptions, IntentParts {}

export function createExecutor({
  session,
  cwd,
  workers,
  agent,
  hasAgent,
  tools,
  canAsk,
  unique,
  turns: loadTurns = async () => shippedCompilation(),
  own,
  opening = assistant.prompt,
}: ExecutorParts): Executor & { readonly system: (intent: Intent) => Promise<string> } {
  let made: Promise<TurnCompilation> | undefined;
  const turns = () => (made ??= own === undefined ? loadTurns() : loadTurns().then((all) => all.with(own)));
  const compile = async (intent: Intent): Promise<Extract<CompiledTurn, { type: 'compiled' }>> => {
    const definition: Pick<AgentDefinition, 'prompt' | 'tools'> = { ...assistant, prompt: opening };
    return (await turns()).compile(intent, definition, await tools());
  };
  const spawner: IntentSpawner = {
    async spawnForIntent(intent, task, { type = 'ephemeral', name } = {}) {
      const { persona } = await compile(intent);
      const called = name ?? `${persona}-${unique()}`;
      const existing = await workers.get(called);
      const served = existing === undefined && (await hasAgent(persona)) ? persona : agent;
      const worker = existing ?? (await workers.create(called, { agent: served, kind: type }));
      return worker.run(task);
    },
  };
  return {
    session: session.id,
    spawner,
    async system(intent) {
      const { prefix, suffix } = await compile(intent);
      return `${prefix}\n\n${suffix}`;
    },
    async process(text, options = {}) {
      const scene = { agent: { ...assistant, compile: true }, cwd, tools: await tools() };
      const { rules, clarify, ...meaning } = await (await turns()).meaningOf(text, scene);
      const intent = meaning.intent as Intent;
      const turn = await compile(intent);
      const understood = { intent, persona: turn.persona, why: explainTurn(intent, turn) };
      const isAsked = clarify !== undefined && (await canAsk());
      const unclear =
        clarify === undefined ? {} : { unclear: { ...clarify, taken: isAsked ? 'open' : 'guessed' } as const };
      // Clarifies in this session, where questions are possible, before delegating anything.
      if (turn.placement.runs === 'inline' || isAsked) {
        const meant = { intent, ...optional({ rules, clarify }) };
        const reply = await session.chat(text, { ...options, ...meant });
        return { ...understood, ...unclear, runs: 'inline', reply };
      }
      const job = await spawner.spawnForIntent(intent, text);
      return { ...understood, ...unclear, runs: 'isolated', result: await job.wait() };
    },
    async answer(question, answer) {
      const receipt = await session.answer(question, answer);
      if (receipt.type === 'accepted') return session.wait();
      const { refusal } = receipt;
      return { ...(await session.result()), refusal };
    },
  };
}
