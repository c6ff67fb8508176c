/** A command's result as data. `lines/result-lines.ts` renders it as lines; a page may show more. */
import type { Answer } from '../kernel/question.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { Rule } from '../kernel/rule.ts';
import type { AgentEntry, McpServerEntry, SkillEntry, ToolEntry } from '../ports/rondo-client.ts';
import type { JobView, WorkerView } from '../ports/workforce.ts';
import type { RewindResult } from '../ports/rewind.ts';
import type { SessionFileChange } from '../ports/session-changes.ts';
import type { SessionClient, TurnReason } from '../ports/session-client.ts';
import type { ReportedSettings } from '../views/agent-setting-text.ts';
import type { ContextShare } from '../views/context-share.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import type { RewindPoint } from '../views/rewind-points.ts';
import type { Status } from '../views/status.ts';
import type { Item } from '../views/transcript-item.ts';
import type { UsageReport } from '../views/usage-report.ts';
import type { CommandSpec } from './registry.ts';

export type CommandResult =
  | { readonly type: 'done'; readonly text: string }
  /** The session changed, and its transcript shows it. */
  | { readonly type: 'changed'; readonly text: string }
  /** Nothing changed. `isUsage`: the command was written incorrectly. */
  | {
      readonly type: 'refused';
      readonly message: string;
      readonly code?: Refusal['code'];
      readonly isUsage?: true;
    }
  /** The command ran and failed. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'help'; readonly commands: readonly CommandSpec[] }
  | { readonly type: 'agents'; readonly agents: readonly AgentEntry[]; readonly current?: string }
  | { readonly type: 'models'; readonly models: readonly string[]; readonly current?: string }
  | { readonly type: 'mode'; readonly mode: string; readonly others: readonly string[] }
  /** `name`: the requested one. */
  | {
      readonly type: 'settings';
      readonly agent: string;
      readonly settings: ReportedSettings | undefined;
      readonly name: string | undefined;
    }
  | { readonly type: 'sessions'; readonly words: string; readonly entries: readonly DirectoryEntry[] }
  | {
      readonly type: 'status';
      readonly status: Status;
      readonly questions: readonly OpenQuestion[];
      readonly server: string | undefined;
    }
  | { readonly type: 'usage'; readonly report: UsageReport; readonly limits: Status['limits'] }
  | { readonly type: 'context'; readonly share: ContextShare }
  /** The last conversation items. `count` is the requested number. */
  | {
      readonly type: 'history';
      readonly session: SessionClient;
      readonly items: readonly Item[];
      readonly count: number | undefined;
    }
  | { readonly type: 'workers'; readonly workers: readonly WorkerView[] }
  | { readonly type: 'jobs'; readonly jobs: readonly JobView[] }
  | { readonly type: 'queue'; readonly queue: Status['queue'] }
  | { readonly type: 'tools'; readonly tools: readonly ToolEntry[] }
  | { readonly type: 'skills'; readonly skills: readonly SkillEntry[] }
  /** Rules and grants, numbered from 1. */
  | { readonly type: 'permissions'; readonly entries: readonly PermissionEntry[] }
  | { readonly type: 'mcp-servers'; readonly servers: readonly McpServerEntry[] }
  /** Open requests of all sessions, numbered from 1. `isOne`: one in full. */
  | { readonly type: 'inbox'; readonly requests: readonly InboxRequest[]; readonly isOne?: true }
  | { readonly type: 'why'; readonly reason: TurnReason | undefined }
  | { readonly type: 'answered'; readonly question: OpenQuestion; readonly answer: Answer }
  | {
      readonly type: 'rewound';
      readonly session: string;
      readonly result: Extract<RewindResult, { type: 'rewound' }>;
      /** The prompt that was taken back, for the front end's input. */
      readonly before?: string;
      /** Files that were changed outside the session since its last turn. */
      readonly foreign?: readonly string[];
    }
  /** The files that this session changed. */
  | { readonly type: 'changes'; readonly changes: readonly SessionFileChange[] }
  /** Text for the clipboard. */
  | { readonly type: 'copy'; readonly text: string; readonly what: string }
  /** Prompts to go back to. */
  | { readonly type: 'points'; readonly points: readonly RewindPoint[] }
  | { readonly type: 'exported'; readonly file: string; readonly leftOut: readonly string[] }
  /** The front end switches to this session. `before` is the previous one, if it has any content. */
  | {
      readonly type: 'open';
      readonly session: SessionClient;
      readonly how: Opening;
      readonly before?: string;
      /** Text for the front end's input. */
      readonly draft?: string;
    }
  /** The screen hides everything so far. */
  | { readonly type: 'clear' }
  | { readonly type: 'leave' };

/** A rule or grant in effect. */
export interface PermissionEntry {
  readonly verdict: Rule['verdict'];
  readonly rule: string;
  /** The layer it is from, or who allowed it. */
  readonly from: string;
  /** False if a configuration file has it. */
  readonly isRevocable: boolean;
}

export interface InboxRequest {
  readonly question: OpenQuestion;
  readonly session: string;
  readonly title: string;
  readonly cwd: string;
}

type Opening = 'created' | 'forked' | 'resumed';
