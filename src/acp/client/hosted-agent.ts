/**
 * One external agent working for one session: its process, its own session, and one turn at a time.
 *
 * 1. A turn settles exactly once, whatever happens: the agent answers, fails, stays silent too long, is cancelled
 *    or dies.
 * 2. On cancel, the agent is asked to stop. After the grace period it is killed with everything it started.
 * 3. Messages between turns are kept, up to a limit, and recorded with the next turn.
 */
import type { AgentAnswer } from '../../kernel/agent-request.ts';
import type { AgentSetting, AgentSettings, SettingOutcome } from '../../kernel/agent-setting.ts';
import type { AgentOutcome } from '../../kernel/input.ts';
import { isJsonObject } from '../../kernel/json-object.ts';
import type { AgentTurn } from '../../runtime/capabilities.ts';
import type { Clock } from '../../ports/clock.ts';
import { childEnvironment } from '../../processes/child-environment.ts';
import { spawnAgent } from './agent-process.ts';
import type { AcpSettings, AgentSpec } from './agent-spec.ts';
import { createAsking } from './asking.ts';
import { serveRequest, type ServedTurn } from './client-requests.ts';
import { createLateUpdates } from './late-updates.ts';
import { openSession, type ReadyAgent } from './open-session.ts';
import type { DescribeCall } from './permission-call.ts';
import { agentPromptContent } from './prompt-content.ts';
import { readUpdate } from './read-update.ts';
import { createServedTerminals } from './served-terminals.ts';
import { setSetting } from './session-settings.ts';
import { guardTurn, type TurnGuard } from './turn-guard.ts';
import { turnOutcome } from './turn-outcome.ts';
import { createTurnRecorder, type TurnRecorder } from './turn-recorder.ts';
import { elicitationCompleted } from './wire-schema.ts';
import type { Environment } from '../../ports/environment.ts';

export interface HostedAgent {
  readonly name: string;
  readonly isAlive: boolean;
  readonly canReturn: boolean;
  run(turn: AgentTurn): Promise<AgentOutcome>;
  answer(key: string, answer: AgentAnswer): void;
  set(setting: AgentSetting): Promise<SettingOutcome>;
  end(): Promise<void>;
}

type Hosted =
  | { readonly type: 'hosted'; readonly agent: HostedAgent }
  | { readonly type: 'failed'; readonly outcome: Extract<AgentOutcome, { type: 'failed' }> };

export interface HostParts {
  readonly clock: Clock;
  readonly env: Environment;
  readonly describe: DescribeCall;
  readonly settings: AcpSettings;
  /** Receives the way to answer questions of an agent that isn't ready yet, such as how to log in. */
  readonly opening?: (answer: HostedAgent['answer']) => void;
}

interface RunningTurn extends ServedTurn {
  readonly recorder: TurnRecorder;
  /** Present once the agent is prompted. */
  guard?: TurnGuard;
}

/** Starts the agent and opens its session, for the first turn that needs it. */
export async function hostAgent(spec: AgentSpec, turn: AgentTurn, parts: HostParts): Promise<Hosted> {
  const { clock, env, settings } = parts;
  const { session, state } = turn.host;
  const { cwd, roots, epoch } = turn.context;
  const terminals = createServedTerminals({ cwd, roots, session, epoch }, env, spec.sandbox);
  let running: RunningTurn | undefined;
  /** Its own, and the one that it was asked to take up. Empty until its session is open. */
  const sessions = new Set<unknown>();
  let isReplaying = false;
  const late = createLateUpdates();

  const spawned = await spawnAgent(
    {
      command: spec.command,
      args: spec.args,
      environment: childEnvironment(env, { allow: spec.envAllowed ?? [], set: spec.env }),
      cwd,
      session,
      epoch,
      signal: turn.context.signal,
    },
    {
      request: (method, params, signal) =>
        serveRequest(
          {
            describe: parts.describe,
            terminals,
            current: () => running,
            isForeign: (id) => sessions.size > 0 && !sessions.has(id),
          },
          method,
          params,
          signal,
        ),
      notification(method, params) {
        if (method === 'elicitation/complete') return completeElicitation(params, running);
        if (method !== 'session/update' || isReplaying || !isJsonObject(params)) return;
        const update = readUpdate(spec.name, params['update']);
        if (update === undefined) return;
        if (running !== undefined) running.recorder.take(update);
        else late.keep(update);
      },
      rested() {
        running?.recorder.tell();
        running?.guard?.check();
      },
    },
    settings,
  );
  if (spawned.type === 'failed') {
    const message = `Starting agent ${spec.name}: ${spawned.message}. Check its command: ${spec.command}.`;
    return { type: 'failed', outcome: { type: 'failed', code: 'agent-unavailable', message } };
  }
  const { process } = spawned;
  const giveUp = () => void process.end({ leaveMs: 0 });
  turn.context.signal.addEventListener('abort', giveUp, { once: true });
  if (turn.context.signal.aborted) giveUp();
  const before = state.agentSession?.agent === spec.name ? state.agentSession : undefined;
  const opened = begin(turn);
  parts.opening?.((key, answer) => opened.asking.answer(key, answer));
  const opening = await openSession({
    process,
    spec,
    settings,
    cwd,
    before,
    chosen: state.agentSettings?.agent === spec.name ? chosenIn(state.agentSettings) : [],
    ask: (request) => opened.asking.ask(request, turn.context.signal),
    replaying: (is) => (isReplaying = is),
  });
  turn.context.signal.removeEventListener('abort', giveUp);
  if (opening.type === 'failed') {
    opened.asking.close();
    running = undefined;
    await process.end({ leaveMs: 0 });
    const { code, message } = opening;
    return { type: 'failed', outcome: { type: 'failed', code, message } };
  }
  const ready = opening.agent;
  for (const id of [ready.session, before?.id ?? ready.session]) sessions.add(id);
  for (const report of ready.reports) turn.report(report);
  let isFirst = true;
  let opener: RunningTurn | undefined = opened;

  /** The turn to which the agent's requests belong from now on. */
  function begin(of: AgentTurn): RunningTurn {
    const recorder = createTurnRecorder(of, (terminal) => terminals.output(terminal)?.output);
    running = {
      turn: of,
      recorder,
      asking: createAsking(of),
      allowed: new Set(),
      answered: new Map(),
      elicited: new Map(),
      flush: () => recorder.flush(),
    };
    return running;
  }

  async function run(of: AgentTurn): Promise<AgentOutcome> {
    // The turn that opened the session continues: an agent may ask before it is prompted, for example repeat its last
    // question.
    const begun = opener ?? begin(of);
    opener = undefined;
    const { recorder, asking } = begun;
    const { updates, lost } = late.take();
    for (const update of updates) recorder.take(update);
    if (lost > 0) {
      recorder.flush();
      const text = `${spec.name} sent ${lost} updates between turns that weren’t kept.`;
      of.report({ type: 'notice', severity: 'warning', text });
    }
    const guard = guardTurn(of, {
      process,
      ready,
      clock,
      settings,
      isBusy: () => process.peer.serving > 0 || terminals.running > 0,
    });
    begun.guard = guard;
    try {
      const { blocks: prompt, withheld } = await contentFor(of, ready, isFirst);
      isFirst = false;
      if (withheld.length > 0) {
        const text = `${spec.name} cannot be given ${withheld.join(', ')}: it takes no content of that kind.`;
        of.report({ type: 'notice', severity: 'warning', text });
      }
      const answer = await process.peer.request('session/prompt', { sessionId: ready.session, prompt });
      recorder.flush();
      return await turnOutcome(answer, of, { spec, process, recorder, guard });
    } finally {
      guard.stop();
      running = undefined;
      asking.close();
    }
  }

  return {
    type: 'hosted',
    agent: {
      name: spec.name,
      get isAlive() {
        return process.isAlive;
      },
      canReturn: ready.canReturn,
      run,
      answer: (key, answer) => running?.asking.answer(key, answer),
      set: (setting) =>
        setSetting(
          {
            name: spec.name,
            session: ready.session,
            request: (method, params) => process.peer.request(method, params, { timeoutMs: settings.openMs }),
          },
          setting,
        ),
      async end() {
        await Promise.all([process.end(), terminals.close()]);
      },
    },
  };
}

function completeElicitation(params: unknown, turn: ServedTurn | undefined): void {
  const completed = elicitationCompleted.safeParse(params);
  if (completed.success) turn?.elicited.get(completed.data.elicitationId)?.abort();
}

function chosenIn({ chosen = [] }: AgentSettings): readonly AgentSetting[] {
  return chosen.map(({ setting }) => setting);
}

async function contentFor(turn: AgentTurn, ready: ReadyAgent, isFirst: boolean) {
  const { before, unsent } = await turn.host.agentPrompt();
  const isNewcomer = isFirst && !ready.knowsPast;
  return agentPromptContent(
    {
      before: isNewcomer ? before : [],
      unsent,
      isContinued: isFirst && turn.attempt > 1,
      takes: ready.takes,
      cwd: turn.host.state.cwd,
    },
    (ref) => turn.host.read(ref),
  );
}
