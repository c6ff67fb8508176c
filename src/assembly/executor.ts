/**
 * Just-in-time agents for programs: a sentence becomes an intent, the intent a persona with tools, rules and
 * a prompt, and the work is done in this executor's session or, where it is large, by a sub-agent of its own.
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

/** Sentences in, configured turns or sub-agents out. */
export interface Executor {
  readonly session: SessionId;
  /**
   * Understands, compiles and carries out one request. Where it is not clear what is meant, that is asked first, in
   * the session, as any question is: the reply then needs input. Answer it there, or with `answer`.
   */
  process(text: string, options?: ChatOptions): Promise<Processed>;
  /** Answers what `process` asked, and waits for what becomes of the request. */
  answer(question: string, answer: Answer): Promise<Reply>;
  readonly spawner: Spawner;
}

export type Processed = {
  readonly intent: Intent;
  readonly persona: string;
  readonly why: TurnExplanation;
  /** What was unclear. `open`: it is asked. `guessed`: nobody can be asked in this mode, and the intent is a guess. */
  readonly unclear?: Clarify & { readonly taken: 'open' | 'guessed' };
} & (
  | { readonly runs: 'inline'; readonly reply: Reply }
  | { readonly runs: 'isolated'; readonly result: JobResult }
);

export interface Spawner {
  /**
   * A sub-agent for an intent, served by the specialist of its persona: the project's file of that name, else one made
   * from the persona, else the executor's own agent. `ephemeral`: one task. `persistent`: the next task of the same name knows the
   * ones before. `system`: long-running, its history saved after every task and restored at start.
   */
  spawnForIntent(
    intent: Intent,
    task: string,
    options?: { readonly type?: WorkerKind; readonly name?: string },
  ): Promise<Job>;
}

export interface ExecutorParts {
  readonly session: Session;
  readonly cwd: string;
  readonly workers: Workers;
  readonly agent: string;
  /** Whether there is an agent of this name; rejects where its file cannot be used. */
  readonly hasAgent: (name: string) => Promise<boolean>;
  readonly tools: () => Promise<readonly string[]>;
  /** Whether the session's mode lets anybody be asked. */
  readonly canAsk: () => Promise<boolean>;
  readonly unique: () => string;
  /** The project's own verbs, configs and rules; what is shipped where it adds none. */
  readonly turns?: (() => Promise<TurnCompilation>) | undefined;
  /** The parts that the program brings. */
  readonly own?: IntentParts;
  /** What the session's agent opens its prompt with, where the program gave it words. */
  readonly opening?: string | undefined;
}

/** How the executor's session begins, and the parts that a program brings. */
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
  turns: found = async () => shippedCompilation(),
  own,
  opening = assistant.prompt,
}: ExecutorParts): Executor & { readonly system: (intent: Intent) => Promise<string> } {
  let made: Promise<TurnCompilation> | undefined;
  const turns = () => (made ??= own === undefined ? found() : found().then((all) => all.with(own)));
  const compile = async (intent: Intent): Promise<Extract<CompiledTurn, { type: 'compiled' }>> => {
    const definition: Pick<AgentDefinition, 'prompt' | 'tools'> = { ...assistant, prompt: opening };
    return (await turns()).compile(intent, definition, await tools());
  };
  const spawner: Spawner = {
    async spawnForIntent(intent, task, { type = 'ephemeral', name } = {}) {
      const { persona } = await compile(intent);
      const called = name ?? `${persona}-${unique()}`;
      const known = await workers.get(called);
      const served = known === undefined && (await hasAgent(persona)) ? persona : agent;
      const worker = known ?? (await workers.create(called, { agent: served, kind: type }));
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
      // what is unclear is settled where it can be asked, before anything is handed on
      if (turn.placement.runs === 'inline' || isAsked) {
        const meant = { intent, ...(rules !== undefined && { rules }), ...(clarify !== undefined && { clarify }) };
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
