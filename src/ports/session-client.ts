/**
 * The one interface to a session. `Session` implements it in this process, `rondo/client` over the wire; whatever is
 * built on it works in both places, and `testing/contracts/commands-contract.ts` runs on both.
 *
 * 1. Expected endings are values: a refused input is a `Receipt`, not an exception.
 * 2. A method rejects with a `Fault` where the world fails: no such session, no connection, a full disk.
 * 3. A client holds no state of the session. Any number of them, in any process, act on the same one.
 */
import type { Body } from '../kernel/content.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Answer } from '../kernel/question.ts';
import type { Rule } from '../kernel/rule.ts';
import type { ContextShare } from '../views/context-share.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import type { Status } from '../views/status.ts';
import type { ItemId } from '../views/transcript-item.ts';
import type { TranscriptPage } from '../views/transcript-page.ts';
import type { UsageReport } from '../views/usage.ts';
import type { ClientInput } from './client-input.ts';
import type { Receipt } from './receipt.ts';
import type { RewindOptions, RewindResult } from './rewind.ts';
import type { Update } from './update.ts';

/** One session, in this process or on a server. */
export interface SessionClient {
  readonly id: SessionId;
  status(): Promise<Status>;
  /** Resolves once the input is durable, or was refused. */
  send(input: ClientInput, options?: KeyOption): Promise<Receipt>;
  /** Answers a question of this session or of one that works for it. The first answer wins. */
  answer(question: string, answer: Answer, options?: KeyOption): Promise<Receipt>;
  interrupt(reason?: string): Promise<Receipt>;
  /** Open questions of the session and of those that work for it, oldest first. */
  questions(): Promise<readonly OpenQuestion[]>;
  /** A new session that continues from here, or from an earlier event. Rejects with a `Fault` where that isn't possible. */
  fork(options?: ForkPoint): Promise<SessionClient>;
  rewind(options: Pick<RewindOptions, 'to' | 'axes' | 'key'>): Promise<RewindResult>;
  follow(options?: FollowFrom): AsyncIterable<Update>;
  events(range: { readonly after: number; readonly limit?: number }): Promise<EventPage>;
  /** A page of the conversation, the last one first. */
  transcript(range?: { readonly before?: ItemId; readonly limit?: number }): Promise<TranscriptPage>;
  /** What fills the model's window. */
  context(): Promise<ContextShare>;
  /** Tokens, cost and time, by turn, model and sub-agent. */
  usage(): Promise<UsageReport>;
  /** Why the newest turn, or the one that an event belongs to, ran as it did; undefined where no intent is recorded. */
  why(event?: number): Promise<TurnReason | undefined>;
  export(options?: { readonly format?: ExportFormat }): Promise<ExportedSession>;
  /** The whole of a text that the journal may hold only the opening of. */
  read(body: Body): Promise<string>;
}

export interface KeyOption {
  /** Under the same key an input counts once, whoever sends it. */
  readonly key?: string;
}

export interface ForkPoint {
  readonly at?: number;
  readonly title?: string;
}

export interface FollowFrom {
  /** Events after this sequence. Without it: a snapshot at the head, then what follows. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export interface EventPage {
  readonly events: readonly Recorded[];
  readonly last: number;
}

export type ExportFormat = 'bundle' | 'markdown' | 'json';

export interface ExportedSession {
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Sub-agents' sessions that aren't in it. */
  readonly leftOut: readonly string[];
}

/** What was understood of a prompt, and what followed for its turn. */
export interface TurnReason {
  readonly prompt: string;
  /** The rules that held for its turn. */
  readonly rules: readonly Rule[];
  /** The facts and rules behind it, for programs. */
  readonly explained: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}
