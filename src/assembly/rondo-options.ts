/** Options for creating a Rondo and its sessions. */
import type { AcpSettings } from '../acp/client/agent-spec.ts';
import type { AgentLife } from '../acp/client/external-agents.ts';
import type { Store } from '../ports/store.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';
import type { Step } from '../kernel/decide/step.ts';
import type { Approver, Capabilities, ExternalAgents, JobCalls, Telemetry } from '../runtime/capabilities.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Logger } from '../ports/logger.ts';
import type { Model } from '../ports/model.ts';
import type { Tool } from '../ports/tool.ts';
import type { JobSettings, SessionRequest } from '../workers/worker-parts.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { AgentOptions, AgentSource } from './agents/agent-source.ts';
import type { FileCheckpoints } from './sessions/file-checkpoints.ts';
import type { PlaceRequest, PlacesHome } from '../places/repository-places.ts';
import type { LeasedTools } from './tools/leased-tools.ts';
import type { SessionTools } from './tools/session-tools.ts';
import type { InputType } from '../session/input-type.ts';
import type { RemoteLinks } from '../session/remote/remote-links.ts';
import type { SessionsParts } from '../session/ownership/sessions.ts';

/** The configuration of a Rondo. Every option has a default that works offline. */
export interface RondoOptions {
  /** `sqlite:PATH`, `postgres://…`, `nats://…`, `memory:`, or your own store. Default: `memory:`. */
  readonly store?: string | Store;
  /** Default: `assistant`, with the built-in tools. */
  readonly agents?: Readonly<Record<string, AgentOptions>> | AgentSource;
  /** By name, or a function from an agent to its model. Default: models from this machine's keys and servers. */
  readonly models?: Readonly<Record<string, Model>> | Capabilities['models']['resolve'];
  /** Default: none for your own agents, the built-in ones for `assistant`. */
  readonly tools?: readonly Tool[] | SessionTools;
  /** Folders that a session's tools may touch besides its own, while this process runs. */
  readonly moreRoots?: (session: SessionId) => readonly string[];
  /** Custom input types by name, each a schema and a handler, created with `inputType`. */
  readonly inputs?: Readonly<Record<string, InputType>>;
  /** Answers questions in this program. `all` allows every call that isn't denied: for trusted programs. */
  readonly approve?: 'all' | Approver;
  /** The actor recorded for answers from `approve`. Default: the program. */
  readonly approvesAs?: Actor;
  /** The session's step function, for programs that replace it. */
  readonly step?: Step;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly telemetry?: Telemetry;
  /** Saves files before a turn changes them, for `session.rewind`. Default: files aren't saved. */
  readonly checkpoints?: FileCheckpoints;
  /** A custom host for agents that run as processes. */
  readonly externalAgents?: ExternalAgents;
  /** Time and size limits for external agents. */
  readonly acp?: Partial<AcpSettings>;
  /** The lifetime that external agents' processes are tied to. Default: none. */
  readonly agentLife?: AgentLife;
  /** Provides a separate worktree for sessions that request one. */
  readonly worktrees?: Pick<Worktrees, 'open'> & { readonly hold?: LeasedTools['hold'] };
  /** The folder for clones of repositories that sessions work on. Default: such sessions aren't possible. */
  readonly places?: PlacesHome;
  /** Runs calls that are jobs, instead of the workers here. */
  readonly jobs?: JobCalls;
  /**
   * Limits and timeouts of workers and jobs. `delegate` offers the tool of that name. Default: with the built-in
   * tools.
   */
  readonly workers?: Partial<JobSettings> & { readonly delegate?: boolean };
  /** Ends processes that owners of older epochs left running for a session, before its recovery. */
  readonly killOrphans?: SessionsParts['killOrphans'];
  /** Called for every event of every session alive here, after its commit. */
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly limits?: Partial<Limits>;
  /** Values to hide in exported sessions, in addition to those from the environment and known secret formats. */
  readonly secrets?: readonly string[];
  /** How long an idle session stays in memory. */
  readonly hibernateAfterMs?: number;
  /** Default: `mostLiveSessions`. */
  readonly maxLiveSessions?: number;
  /** This machine's managed policy. */
  readonly managed?: ManagedOptions;
  /** How many updates a follower may lag before it gets a gap and a snapshot. */
  readonly followerLimit?: number;
  /**
   * What this machine offers to agents and tools that need labels. Default: none. `any`: this process opens every
   * session, and runs nothing.
   */
  readonly labels?: readonly string[] | 'any';
  /** Connections to other nodes of this store, for following their sessions. */
  readonly links?: RemoteLinks;
}

/** How many sessions a process keeps open by default. */
export const mostLiveSessions = 100_000;

/** The machine administrator's policy. No session can be looser. */
interface ManagedOptions {
  readonly rules: readonly Rule[];
  readonly limits: Partial<Limits>;
}

/** A new session's options. Defaults come from its agent and from the configuration. */
export interface CreateOptions extends SessionRequest {
  /** `ses_` and 1 to 60 letters and digits. An id in use is a `Fault`. Default: a new id, sortable by time. */
  readonly id?: string;
  /** A git worktree of `cwd`'s repository: a new one, or the one with this name. */
  readonly worktree?: boolean | string;
  /** Works on a clone of this repository instead of `cwd`. Any node that reaches it can continue. */
  readonly repository?: PlaceRequest;
  readonly by?: Actor;
}

/** A person's choices for an imported session. Defaults come from the agent and the configuration. */
export type ContinueOptions = Pick<
  CreateOptions,
  'agent' | 'model' | 'mode' | 'cwd' | 'limits' | 'rules' | 'tools' | 'by'
>;
