import type { AgentRequestProgress } from '../agent-request.ts';
import { withAllAsked, withChosen, withSettled, withReportedSettings } from '../agent-settings.ts';
import type { Event } from '../event.ts';
import { effectIdOf } from '../ids.ts';
import { promptedAgent, withRequests } from './prompted-agent.ts';
import type { AgentReport } from '../report.ts';
import { turnOf, type State } from '../state.ts';
import { withActivity, withMessage, withStep, withTurn, withUsage } from './turn-change.ts';

type AgentEvent = Extract<
  Event,
  {
    type:
      | 'agent-turn-intended'
      | 'agent-reported'
      | 'agent-asked'
      | 'agent-asked-again'
      | 'agent-answered'
      | 'agent-setting-chosen'
      | 'agent-setting-settled'
      | 'agent-turn-settled';
  }
>;

export function evolveAgent(state: State, seq: number, event: AgentEvent): State {
  switch (event.type) {
    case 'agent-turn-intended':
      return withStep(state, ({ prompts, told }) => ({
        type: 'prompting-agent',
        effect: effectIdOf(state.id, seq),
        attempt: 1,
        // Prompts that joined the turn since the agent last received any.
        prompts: prompts.slice(told),
      }));
    case 'agent-reported':
      return reported(state, event.report);
    case 'agent-asked': {
      const { request } = event;
      const about = request.type === 'permission' ? { args: request.call.args, facts: request.call.facts } : {};
      return withRequests(state, (requests) => [...requests, { type: 'asked', key: request.key, ...about }]);
    }
    case 'agent-asked-again':
      return withRequests(state, (requests) =>
        requests.flatMap((progress) => (progress.key === event.key ? heard(progress) : progress)),
      );
    case 'agent-answered':
      return answered(state, event);
    case 'agent-setting-chosen':
      return withChosen(state, event.setting, effectIdOf(state.id, seq));
    case 'agent-setting-settled':
      return withSettled(state, event.effect, event.outcome);
    case 'agent-turn-settled': {
      const charged = event.usage === undefined ? withUnreported(state) : withUsage(state, event.usage);
      const isReply = event.ending.type === 'completed' && state.phase.type === 'turn';
      return withActivity(
        { ...charged, recoveries: 0 },
        isReply ? { type: 'replied', reply: seq, refused: false } : { type: 'ready' },
      );
    }
  }
}

function reported(state: State, report: AgentReport): State {
  switch (report.type) {
    case 'message':
      return withMessage(state, report.text);
    case 'usage': {
      const used = withReported(withUsage(state, report.usage));
      if (report.counted === undefined || used.agentSession === undefined) return used;
      return { ...used, agentSession: { ...used.agentSession, counted: report.counted } };
    }
    case 'session':
      return {
        ...withAllAsked(state),
        agentSession: { agent: report.agent, id: report.id, ...counted(state, report) },
      };
    case 'mode':
    case 'options':
      return withReportedSettings(state, turnOf(state)?.agent.name ?? state.agent.name, report);
    case 'tool-call':
      return report.counts === true ? withCallCounted(state, report.call) : state;
    case 'thought':
    case 'plan':
    case 'commands':
    case 'notice':
      return state;
  }
}

function withReported(state: State): State {
  return withTurn(state, (turn) =>
    turn.activity.type === 'prompting-agent' ? { ...turn, activity: { ...turn.activity, reported: true } } : turn,
  );
}

/** The usage of an agent that reported none is unknown, not zero. */
function withUnreported(state: State): State {
  const agent = promptedAgent(state);
  if (agent === undefined || agent.reported === true) return state;
  const { usage } = state;
  return { ...state, usage: { ...usage, unreportedTurns: (usage.unreportedTurns ?? 0) + 1 } };
}

function withCallCounted(state: State, call: string): State {
  const counted = { ...state, usage: { ...state.usage, toolCalls: state.usage.toolCalls + 1 } };
  return withTurn(counted, (turn) => ({
    ...turn,
    toolCalls: turn.toolCalls + 1,
    activity:
      turn.activity.type === 'prompting-agent'
        ? { ...turn.activity, calls: [...(turn.activity.calls ?? []), call].slice(-countedCallsKept) }
        : turn.activity,
  }));
}

const countedCallsKept = 1000;

/** A resumed session continues its counters. */
function counted(
  { agentSession }: State,
  report: Extract<AgentReport, { type: 'session' }>,
): Pick<NonNullable<State['agentSession']>, 'counted'> {
  const isSame = agentSession?.id === report.id && agentSession.counted !== undefined;
  return isSame ? { counted: agentSession.counted } : {};
}

/** The agent waits again: an open question continues, a kept answer is used up. */
function heard(request: AgentRequestProgress): readonly AgentRequestProgress[] {
  if (request.type !== 'asking') return [];
  const { lost: _, ...waiting } = request;
  return [waiting];
}

function answered(state: State, event: Extract<AgentEvent, { type: 'agent-answered' }>): State {
  const { key, answer, refused } = event;
  const settled = withRequests(state, (requests) =>
    requests.flatMap((progress): readonly AgentRequestProgress[] => {
      if (progress.key !== key) return [progress];
      const isKept = progress.type === 'asking' && progress.lost === true;
      return isKept ? [{ type: 'answered', key, answer }] : [];
    }),
  );
  if (refused !== 'policy' && refused !== 'person') return settled;
  return withTurn(settled, (turn) => ({
    ...turn,
    denials: turn.denials + (refused === 'policy' ? 1 : 0),
    rejections: turn.rejections + (refused === 'person' ? 1 : 0),
  }));
}
