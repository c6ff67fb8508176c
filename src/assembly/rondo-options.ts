/** What a program may bring or choose when it makes a Rondo, and when it makes a session. */
import type { AcpSettings } from '../acp/client/agent-spec.ts';
import type { AgentLife } from '../acp/client/external-agents.ts';
import type { Store } from '../ports/store.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Mode } from '../kernel/mode.ts';
import type { ToolAccess } from '../kernel/agent.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';
import type { Step } from '../kernel/decide/step.ts';
import type { Approver, Capabilities, ExternalAgents, Jobs, Telemetry } from '../runtime/capabilities.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Logger } from '../ports/logger.ts';
import type { Model } from '../ports/model.ts';
import type { Tool } from '../ports/tool.ts';
import type { JobSettings } from '../workers/worker-parts.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { AgentOptions, AgentSource } from './agents/agent-source.ts';
import type { FileCheckpoints } from './sessions/file-checkpoints.ts';
import type { LeasedTools } from './tools/leased-tools.ts';
import type { SessionTools } from './tools/session-tools.ts';
import type { InputType } from '../session/input-type.ts';
import type { SessionsParts } from '../session/ownership/sessions.ts';

/** How a Rondo is put together. Nothing is required: what is left out has a default that works offline. */
export interface RondoOptions {
  /** `sqlite:PATH`, `memory:`, or a store of your own. Default: `memory:`. */
  readonly store?: string | Store;
  /** Default: `assistant`, with the built-in tools. */
  readonly agents?: Readonly<Record<string, AgentOptions>> | AgentSource;
  /** By name, or a function from an agent to its model. Default: what keys and servers on this machine offer. */
  readonly models?: Readonly<Record<string, Model>> | Capabilities['models']['resolve'];
  /** Default: none for agents of your own, the built-in ones for `assistant`. */
  readonly tools?: readonly Tool[] | SessionTools;
  /** Input types of your own, by name: each a schema and a handler, made with `inputType`. */
  readonly inputs?: Readonly<Record<string, InputType>>;
  /** Answers questions in this program. `all` allows every call that is not denied: for trusted programs. */
  readonly approve?: 'all' | Approver;
  /** Who is recorded as having answered with `approve`. Default: the program. */
  readonly approvesAs?: Actor;
  /** The session's decision, for programs that bring their own. */
  readonly step?: Step;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly telemetry?: Telemetry;
  /** Keeps files before a turn changes them, for `session.rewind`. Default: they are not kept. */
  readonly checkpoints?: FileCheckpoints;
  /** Hosts agents that run as processes, in place of ours. */
  readonly externalAgents?: ExternalAgents;
  /** Times and sizes that external agents are held to. */
  readonly acp?: Partial<AcpSettings>;
  /** Whose life the processes of external agents are part of. Default: they are on their own. */
  readonly agentLife?: AgentLife;
  /** Gives sessions that ask for one a place of their own to work in. */
  readonly worktrees?: Pick<Worktrees, 'open'> & { readonly hold?: LeasedTools['hold'] };
  /** Carries out calls that are jobs, in place of the workers here. */
  readonly jobs?: Jobs;
  /** Limits and times of workers and jobs; `delegate` offers the tool of that name. Default: with the built-in tools. */
  readonly workers?: Partial<JobSettings> & { readonly delegate?: boolean };
  /** Ends processes that owners of older epochs left running for a session, before it is recovered. */
  readonly killOrphans?: SessionsParts['killOrphans'];
  /** Told of every event of every session alive here, after its commit. */
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly limits?: Partial<Limits>;
  /** Values that are hidden wherever a session is exported, besides what the environment and known shapes give away. */
  readonly secrets?: readonly string[];
  /** How long an idle session stays in memory. */
  readonly hibernateAfterMs?: number;
  readonly maxLiveSessions?: number;
  /** The managed policy of this machine. */
  readonly managed?: ManagedOptions;
  /** Updates that a follower may fall behind before it gets a gap and a snapshot. */
  readonly followerLimit?: number;
}

/** What the machine's administrator decided; nothing in a session is looser. */
export interface ManagedOptions {
  readonly rules: readonly Rule[];
  readonly limits: Partial<Limits>;
}

/** How one session begins; what is left out comes from its agent and from the configuration. */
export interface CreateOptions {
  /** `ses_` and 1 to 60 letters and digits. An id that is taken is a `Fault`. Default: a new id, sortable by time. */
  readonly id?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string | Mode;
  readonly cwd?: string;
  /** A git worktree of `cwd`'s repository to work in: a new one, or the one of that name. */
  readonly worktree?: boolean | string;
  readonly title?: string;
  readonly parent?: SessionId;
  readonly limits?: Partial<Limits>;
  readonly rules?: readonly Rule[];
  /** Narrows what the agent may use, never widens it. */
  readonly tools?: ToolAccess;
  readonly by?: Actor;
}

/** What a person chooses for an imported session; what is left out comes from the agent and the configuration. */
export type ContinueOptions = Pick<
  CreateOptions,
  'agent' | 'model' | 'mode' | 'cwd' | 'limits' | 'rules' | 'tools' | 'by'
>;
