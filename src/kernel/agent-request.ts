/**
 * Requests of an external agent during its turn, and the answers. A request's `key` is a hash of its content
 * without the agent's own ids, so that a restarted agent that asks again gets the earlier answer.
 */
import type { Call, CallFacts } from './call.ts';
import type { Body } from './content.ts';
import type { QuestionId } from './ids.ts';

export type AgentRequest =
  | {
      readonly type: 'permission';
      readonly key: string;
      /** In terms of our own tools, with the facts for the gate. */
      readonly call: Call;
      /** The agent's title for people. */
      readonly title?: string;
      readonly options: readonly PermissionOption[];
    }
  | {
      readonly type: 'form';
      readonly key: string;
      readonly message: string;
      readonly schema: unknown;
      /** The person acts at this URL; the answer only confirms it. */
      readonly url?: string;
    };

/** An answer that the agent offers, identified by `id`. */
export interface PermissionOption {
  readonly id: string;
  readonly kind: 'allow-once' | 'allow-always' | 'reject-once' | 'reject-always';
  readonly name: string;
}

export type AgentAnswer =
  | { readonly type: 'option'; readonly option: string }
  | { readonly type: 'form'; readonly form: unknown }
  | { readonly type: 'declined' }
  | { readonly type: 'cancelled' };

/** A request of the current agent turn. */
export type AgentRequestProgress =
  /** Neither answered nor put to a person yet. Never outlives a step. */
  | { readonly type: 'asked'; readonly key: string; readonly args?: Body; readonly facts?: CallFacts }
  /**
   * `lost`: the asking process is gone. The question stays open, and its answer waits for the next process that
   * asks.
   */
  | {
      readonly type: 'asking';
      readonly key: string;
      readonly question: QuestionId;
      /** The full arguments of the call in question, for people. */
      readonly args?: Body;
      readonly facts?: CallFacts;
      readonly lost?: true;
    }
  /** Answered while no process was waiting. */
  | { readonly type: 'answered'; readonly key: string; readonly answer: AgentAnswer };

/** The maximum per turn. Further requests are answered with `cancelled`. */
export const agentRequestsKept = 32;

/**
 * The agent's option for our yes or no. Prefers a one-time option even for a lasting yes: the agent then asks
 * again, and our visible policy answers.
 */
export function chosenOption(options: readonly PermissionOption[], says: 'allow' | 'reject'): AgentAnswer {
  const fitting =
    options.find(({ kind }) => kind === `${says}-once`) ?? options.find(({ kind }) => kind === `${says}-always`);
  return fitting === undefined ? { type: 'cancelled' } : { type: 'option', option: fitting.id };
}
