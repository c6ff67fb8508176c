/**
 * The one interface to a session. `Session` implements it in this process, `rondo/client` over the wire. Code built
 * on it works in both places, and `testing/contracts/commands-contract.ts` runs on both.
 *
 * 1. Expected endings are values: a refused input is a `Receipt`, not an exception.
 * 2. A method rejects with a `Fault` if the environment fails: no such session, no connection, a full disk.
 * 3. A client holds no session state. Any number of clients, in any process, act on the same session.
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
import type { UsageReport } from '../views/usage-report.ts';
import type { ClientInput } from './client-input.ts';
import type { Receipt } from './receipt.ts';
import type { RewindOptions, RewindResult } from './rewind.ts';
import type { ChangesOptions, SessionChanges } from './session-changes.ts';
import type { Update } from './update.ts';

/** One session, in this process or on a server. */
export interface SessionClient {
  readonly id: SessionId;
  status(): Promise<Status>;
  /** Resolves once the input is durable or refused. */
  send(input: ClientInput, options?: KeyOption): Promise<Receipt>;
  /** Answers a question of this session or of one that works for it. The first answer wins. */
  answer(question: string, answer: Answer, options?: KeyOption): Promise<Receipt>;
  interrupt(reason?: string): Promise<Receipt>;
  /** Open questions of the session and of those that work for it, oldest first. */
  questions(): Promise<readonly OpenQuestion[]>;
  /**
   * Creates a session that continues from here or from an earlier event. Rejects with a `Fault` if that isn't
   * possible.
   */
  fork(options?: ForkPoint): Promise<SessionClient>;
  rewind(options: Pick<RewindOptions, 'to' | 'axes' | 'key'>): Promise<RewindResult>;
  /** The files that differ from an earlier moment: what a rewind to it would change back. */
  changes(options?: ChangesOptions): Promise<SessionChanges>;
  follow(options?: FollowFrom): AsyncIterable<Update>;
  events(range: { readonly after: number; readonly limit?: number }): Promise<EventPage>;
  /** A page of the conversation, last page first. */
  transcript(range?: { readonly before?: ItemId; readonly limit?: number }): Promise<TranscriptPage>;
  /** What fills the model's window. */
  context(): Promise<ContextShare>;
  /** Tokens, cost and time, by turn, model and sub-agent. */
  usage(): Promise<UsageReport>;
  /** Why the newest turn, or the turn that an event belongs to, ran as it did. Undefined if no intent is recorded. */
  why(event?: number): Promise<TurnReason | undefined>;
  export(options?: { readonly format?: ExportFormat }): Promise<ExportedSession>;
  /** The full text, if the journal holds only its beginning. */
  read(body: Body): Promise<string>;
}

/** The idempotency key of a request (default: generated). */
export interface KeyOption {
  /** Inputs with the same key count once, from any sender. */
  readonly key?: string;
}

interface ForkPoint {
  readonly at?: number;
  readonly title?: string;
}

export interface FollowFrom {
  /** Events after this sequence. Default: a snapshot at the head, then new events. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

interface EventPage {
  readonly events: readonly Recorded[];
  readonly last: number;
}

export type ExportFormat = 'bundle' | 'markdown' | 'json';

interface ExportedSession {
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Sub-agents' sessions that it doesn't include. */
  readonly leftOut: readonly string[];
}

/** A prompt's intent, and its consequences for the turn. */
export interface TurnReason {
  readonly prompt: string;
  /** The rules in effect for its turn. */
  readonly rules: readonly Rule[];
  /** The facts and rules behind it, for programs. */
  readonly explained: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}
