import type { Actor } from '../kernel/actor.ts';
import type { Event } from '../kernel/event.ts';
import type { EffectId, QuestionId, SessionId } from '../kernel/ids.ts';
import type { ListedSubject } from '../views/listed-subject.ts';
import type { SnapshotView } from '../ports/update.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { ErrorCode } from './error-code.ts';

export type ServerMessage = { readonly v: 1 } & (
  | Welcome
  /** The answer to the message with this id. */
  | { readonly type: 'ok'; readonly id: string; readonly seq?: number; readonly session?: SessionId }
  | ErrorMessage
  | { readonly type: 'snapshot'; readonly session: SessionId; readonly seq: number; readonly view: WireView }
  | WireEvent
  | WireProgress
  | { readonly type: 'gap'; readonly session: SessionId; readonly from: number; readonly to: number }
  | DirectoryMessage
  | QuestionsMessage
  | { readonly type: 'pong'; readonly id?: string }
);

/** The server's greeting and its limits. */
export interface Welcome {
  readonly type: 'welcome';
  readonly server: { readonly name: string; readonly version: string; readonly instance: string };
  readonly limits: {
    readonly messageBytes: number;
    readonly messagesPerSecond: number;
    readonly pingMs: number;
    readonly silenceMs: number;
  };
  readonly role: string;
  readonly actor: string;
}

export interface ErrorMessage {
  readonly type: 'error';
  readonly id?: string;
  readonly session?: SessionId;
  readonly code: ErrorCode;
  readonly message: string;
  readonly recoverable: boolean;
}

/** A recorded event on the wire. */
export interface WireEvent {
  readonly type: 'event';
  readonly session: SessionId;
  readonly seq: number;
  readonly at: number;
  readonly by: Actor;
  readonly event: Event;
}

/** A piece of streamed text; `offset` counts within its effect, attempt and kind. */
export interface WireProgress {
  readonly type: 'progress';
  readonly session: SessionId;
  readonly effect: EffectId;
  readonly attempt: number;
  readonly kind: 'text' | 'reasoning' | 'output' | 'status';
  readonly offset: number;
  readonly text: string;
}

/** A page of the directory first, then changed entries. */
export interface DirectoryMessage {
  readonly type: 'directory';
  readonly kind: 'page' | 'changed';
  readonly entries: readonly DirectoryEntry[];
}

/** First all open questions, then those of a session whenever they change. */
export type QuestionsMessage = { readonly type: 'questions'; readonly questions: readonly WireQuestion[] } & (
  | { readonly kind: 'page' }
  | { readonly kind: 'changed'; readonly session: SessionId }
);

/** An open question of any session. */
export interface WireQuestion {
  readonly id: QuestionId;
  readonly session: SessionId;
  readonly openedAt: number;
  readonly type: string;
  readonly about: ListedSubject;
}

/** Everything a client needs to show a session at one moment. */
export type WireView = SnapshotView;
