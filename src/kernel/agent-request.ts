/**
 * What an external agent asks of us during its turn, and what it is answered. Requests are told apart by
 * their `key`, a hash of what is asked without the agent's own ids: an agent that was started again and asks
 * the same thing gets the answer that was given to it before.
 */
import type { Call, CallFacts } from './call.ts';
import type { Body } from './content.ts';
import type { QuestionId } from './ids.ts';

export type AgentRequest =
  | {
      readonly type: 'permission';
      readonly key: string;
      /** In the words of our own tools, with the facts the gate judges by. */
      readonly call: Call;
      /** How the agent names it to people. */
      readonly title?: string;
      readonly options: readonly PermissionOption[];
    }
  | {
      readonly type: 'form';
      readonly key: string;
      readonly message: string;
      readonly schema: unknown;
      /** What is wanted is done at this address; the answer only says whether it was. */
      readonly url?: string;
    };

/** One of the answers the agent offers; it knows them by `id`. */
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

/** A request of the running agent turn. */
export type AgentRequestProgress =
  /** Not answered and not asked of anybody yet. Never outlives a step. */
  | { readonly type: 'asked'; readonly key: string; readonly args?: Body; readonly facts?: CallFacts }
  /** `lost`: the process that asked is gone; the question stays, and its answer waits for whoever asks again. */
  | {
      readonly type: 'asking';
      readonly key: string;
      readonly question: QuestionId;
      /** Of the call that is asked about: people are shown the whole of it. */
      readonly args?: Body;
      readonly facts?: CallFacts;
      readonly lost?: true;
    }
  /** Answered with nobody there to hear it. */
  | { readonly type: 'answered'; readonly key: string; readonly answer: AgentAnswer };

/** Requests that a turn holds at once; one more is answered `cancelled`. */
export const agentRequestsKept = 32;

/**
 * The agent's own option for a yes or no of ours. One that holds once is preferred, also for a yes that holds
 * longer: the agent then asks again and our policy, which people can see and change, gives the answer.
 */
export function chosenOption(options: readonly PermissionOption[], says: 'allow' | 'reject'): AgentAnswer {
  const fitting =
    options.find(({ kind }) => kind === `${says}-once`) ?? options.find(({ kind }) => kind === `${says}-always`);
  return fitting === undefined ? { type: 'cancelled' } : { type: 'option', option: fitting.id };
}
