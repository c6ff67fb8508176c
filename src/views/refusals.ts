/** The refused calls of a run, and whether it needed any of them. */
import type { Call } from '../kernel/call.ts';
import { previewOf } from '../kernel/content.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { mainArgument } from './main-argument.ts';
import { oneLine } from './one-line.ts';

export interface RefusedCall {
  readonly tool: string;
  /** The command, path or address of the call. */
  readonly summary: string;
  /** The rule that refused it, or the built-in rule's name. */
  readonly rule: string;
}

export interface Refusals {
  readonly all: readonly RefusedCall[];
  /** Calls that a rule denied, if no later call of the same tool for the same target ran. */
  readonly needed: readonly RefusedCall[];
}

export const noRefusals: Refusals = { all: [], needed: [] };

/** The session of a worker that ended. Its refusals count for the run. */
export function endedWorker(event: Event): SessionId | undefined {
  if (event.type !== 'worker-reported') return undefined;
  const { state, session } = event.report;
  return state === 'completed' || state === 'failed' ? session : undefined;
}

export function refusalsTogether(parts: readonly Refusals[]): Refusals {
  return { all: parts.flatMap(({ all }) => all), needed: parts.flatMap(({ needed }) => needed) };
}

/** True if the event refuses a call by decision, not because its turn was over. */
export function isRefusal(event: Event): boolean {
  const code =
    event.type === 'call-refused' ? event.code : event.type === 'agent-answered' ? event.refused : undefined;
  return code === 'policy' || code === 'person' || code === 'expired';
}

type CallOf = Pick<Call, 'tool' | 'args'> & Partial<Pick<Call, 'facts' | 'follows'>>;

export function refusalsIn(events: Iterable<Recorded>): Refusals {
  const calls = new Map<string, CallOf>();
  const all: RefusedCall[] = [];
  const needed = new Map<string, RefusedCall>();
  const keyOf = (call: CallOf | undefined) => `${call?.tool} ${call === undefined ? '' : targetOf(call)}`;

  const refused = (call: CallOf | undefined, rule: string, code: string) => {
    const refusal = {
      tool: call?.tool ?? 'a call',
      summary: call === undefined ? '' : oneLine(targetOf(call)),
      rule,
    };
    all.push(refusal);
    // A command's side changes were reverted, and the run continued without them.
    if (code === 'policy' && call?.follows === undefined) needed.set(keyOf(call), refusal);
  };
  const ran = (call: CallOf | undefined) => needed.delete(keyOf(call));

  for (const { event } of events) {
    switch (event.type) {
      case 'prompt-received':
        if (event.request.type === 'task') for (const call of event.request.calls) calls.set(call.id, call);
        break;
      case 'model-settled':
        if (event.outcome.type === 'completed') for (const call of event.outcome.calls) calls.set(call.id, call);
        break;
      case 'agent-asked':
        if (event.request.type === 'permission') calls.set(event.request.key, event.request.call);
        break;
      case 'call-refused':
        if (isRefusal(event)) refused(calls.get(event.call), event.rule ?? event.code, event.code);
        break;
      case 'agent-answered':
        if (event.refused === undefined) ran(calls.get(event.key));
        else if (isRefusal(event)) refused(calls.get(event.key), event.rule ?? event.refused, event.refused);
        break;
      case 'tool-settled':
        if (event.result.type !== 'cancelled') ran(calls.get(event.call));
        for (const call of event.followUps ?? []) calls.set(call.id, call);
        break;
      default:
        break;
    }
  }
  return { all, needed: [...needed.values()] };
}

/** A tool without a command argument may still run commands. Its facts name them. */
export function targetOf({ args, facts }: CallOf): string {
  const argument = mainArgument(previewOf(args));
  return argument === '' ? (facts?.segments ?? []).map(({ text }) => text).join(' && ') : argument;
}
