/** The editor at the other end, in whichever version of the protocol it speaks. */
import type { RequestPermissionRequest, RequestPermissionResponse, SessionUpdate } from '@agentclientprotocol/sdk';

import type { Ending } from '../../kernel/outcome.ts';
import type { FileBuffers } from '../../ports/tool.ts';
import type { ShownTerminals } from './shown-terminals.ts';

export interface EditorClient {
  session(id: string): EditorSession;
  /** The editor's files. Undefined if it doesn't offer them. */
  buffers(session: string): FileBuffers | undefined;
  terminals(cwd: string): ShownTerminals;
  /** True if the editor has switches for options with two values. */
  readonly takesSwitches: boolean;
}

/** One session as the editor sees it. Updates have the form of version 1. */
export interface EditorSession extends AskingClient {
  update(update: SessionUpdate, how?: HowUpdated): Promise<void>;
  /**
   * Version 2 only. An editor of that version shows a prompt once the agent reports it, replaces streamed text by the
   * finished text, and learns from the state that a turn is over.
   */
  readonly tellState?: (foreground: Foreground) => Promise<void>;
}

export interface HowUpdated {
  /** The text replaces what was streamed under its id. */
  readonly isWhole?: boolean;
  readonly isCancelled?: boolean;
  /** Identifies the plan within the session. */
  readonly plan?: string;
}

export type Foreground = { readonly background: readonly BackgroundWorker[] } & (
  | { readonly state: 'running' | 'requires_action' }
  | { readonly state: 'idle'; readonly ending?: Ending }
);

/** A worker that outlives the turn which started it. */
export interface BackgroundWorker {
  readonly worker: string;
  /** An end is reported once. */
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly text?: string;
}

/** Requests are rejected if the client answers with an error, or with something that is no answer. */
export interface AskingClient {
  update(update: SessionUpdate): Promise<void>;
  ask(request: Permission, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** Undefined if the client doesn't support forms. */
  fillForm?(form: { readonly message: string; readonly schema: unknown }, signal: AbortSignal): Promise<Filled>;
  /** Undefined if the client can't open URLs. */
  openUrl?(
    place: { readonly message: string; readonly url: string; readonly id: string },
    signal: AbortSignal,
  ): Promise<Filled>;
}

export interface Permission extends Omit<RequestPermissionRequest, 'sessionId'> {
  /** False if the tool call only stands for the question. */
  readonly isAboutCall: boolean;
}

export type Filled =
  | { readonly type: 'filled'; readonly content: unknown }
  | { readonly type: 'declined' }
  | { readonly type: 'left' };
