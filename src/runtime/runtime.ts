/**
 * Carries out decisions: one switch, one handler per file. Every effect settles exactly once, whether it succeeds,
 * fails, is cancelled, times out or throws. A late second answer finds its effect gone and is ignored.
 */
import type { Call, RequestedCall } from '../kernel/call.ts';
import type { Decision } from '../kernel/decision.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { Meaning } from '../kernel/meaning.ts';
import type { Answer } from '../kernel/question.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';
import { ask } from './ask.ts';
import { callModel } from './call-model.ts';
import type { Capabilities } from './capabilities.ts';
import { describeCalls } from './describe-calls.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import { createEffects } from './effects.ts';
import { createFileKeeper } from './keep-files.ts';
import { promptAgent } from './prompt-agent.ts';
import { restoreFiles } from './restore-files.ts';
import { runTool } from './run-tool.ts';
import { createRuntimeContext, type RuntimeContext } from './runtime-context.ts';
import { setAgent } from './set-agent.ts';
import { startEffect, type Work } from './start-effect.ts';
import { startJob } from './start-job.ts';
import { carryOutUnderstand } from './understand.ts';
import { summarise } from './summarise.ts';
import { waitUntil } from './wait-until.ts';

interface Runtime {
  carryOut(decision: Decision, host: EffectHost): void;
  describe: (calls: readonly RequestedCall[], host: EffectHost) => Promise<readonly Call[]>;
  rules: (state: State) => Promise<readonly Rule[] | undefined>;
  clarified: (answer: Answer, state: State) => Promise<Meaning | undefined>;
  /** True if an approver has a question of the session and hasn't answered or declined yet. */
  isAsking(session: SessionId): boolean;
  /** True if an agent or servers of the session stay running here between turns. */
  keepsProcesses(session: SessionId): boolean;
  /**
   * Ends everything of a session and delivers nothing more. Resolves once all of it, including processes, has
   * really ended, or after `dropMs` with the effects that still run.
   */
  drop(session: SessionId): Promise<readonly EffectId[]>;
  /** Ends what stays running between turns, after `drop`: the session's agent and MCP servers. */
  leave(session: SessionId): Promise<void>;
  /** The number of effects in flight in this process. */
  readonly inFlight: number;
}

/**
 * Killing a process tree takes at most four seconds. A program's tool that ignores its signal doesn't block
 * forever.
 */
const dropMs = 10_000;

export function createRuntime(capabilities: Capabilities): Runtime {
  const effects = createEffects();
  const files = createFileKeeper(capabilities.checkpoints, capabilities.logger);
  const asking = new Map<SessionId, number>();
  const { clock, briefing } = capabilities;

  function contextFor(effect: EffectId, { session, epoch, state }: EffectHost): RuntimeContext {
    return createRuntimeContext({
      trace: effect,
      session,
      epoch,
      agent: state.agent.name,
      cwd: state.cwd,
      roots: briefing.roots(state),
    });
  }

  function start(effect: EffectId, attempt: number, host: EffectHost, work: Work): void {
    startEffect(
      { effects, clock, capabilities },
      { effect, attempt, host, context: contextFor(effect, host) },
      work,
    );
  }

  async function drop(session: SessionId): Promise<readonly EffectId[]> {
    asking.delete(session);
    files.forget(session);
    for (const running of effects.ofSession(session)) running.drop();
    const unended = effects.unended(session);
    if (unended.length === 0) return [];
    const late = Promise.withResolvers<void>();
    const disarm = clock.at(clock.now() + dropMs, () => late.resolve());
    await Promise.race([Promise.all(unended.map(({ ended }) => ended)), late.promise]);
    disarm();
    const left = effects.unended(session).filter((one) => unended.includes(one));
    const running = left.map(({ effect }) => effect);
    if (running.length > 0) {
      capabilities.logger.log('error', 'effects still run after their session was dropped', { session, running });
    }
    return running;
  }

  return {
    carryOut(decision, host) {
      switch (decision.type) {
        case 'call-model':
          return start(decision.effect, decision.attempt, host, callModel(decision, capabilities));
        case 'understand':
          return start(decision.effect, decision.attempt, host, carryOutUnderstand(decision, capabilities));
        case 'run-tool':
          return start(decision.effect, decision.attempt, host, runTool(decision, capabilities, files));
        case 'prompt-agent':
          return start(decision.effect, decision.attempt, host, promptAgent(decision, capabilities, files));
        case 'answer-agent':
          return capabilities.agents?.answer(decision);
        case 'answer-tool':
          return effects.get(decision.effect)?.answer?.(decision.attempt, decision.key, decision.answer);
        case 'set-agent':
          return setAgent(decision, host, capabilities);
        case 'start-job':
          return start(decision.effect, decision.attempt, host, startJob(decision, capabilities));
        case 'summarise':
          return start(decision.effect, decision.attempt, host, summarise(decision, capabilities));
        case 'restore-files':
          return start(decision.effect, decision.attempt, host, restoreFiles(decision, capabilities));
        case 'ask':
          return ask(decision, host, capabilities, asking);
        case 'wait-until':
          return waitUntil(decision, host, { effects, clock });
        case 'cancel':
          return effects.get(decision.effect)?.cancel(decision.graceMs);
      }
    },
    describe: async (calls, host) => describeCalls(calls, host, capabilities, host.session),
    rules: async (state) => briefing.rules?.(state),
    clarified: async (answer, state) => briefing.clarified?.(answer, state),
    isAsking: (session) => asking.has(session),
    keepsProcesses: (session) =>
      capabilities.agents?.keeps?.(session) === true || capabilities.tools.keeps?.(session) === true,
    drop,
    async leave(session) {
      await Promise.all([capabilities.agents?.release?.(session), capabilities.tools.release?.(session)]);
    },
    get inFlight() {
      return effects.size;
    },
  };
}
