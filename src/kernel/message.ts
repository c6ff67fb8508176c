import type { Attachment, Body } from './content.ts';
import type { CallId } from './ids.ts';

/** A message for the model. References stay references; the sender reads the blobs. */
export type Message =
  | { readonly role: 'user'; readonly text: Body; readonly attachments?: readonly Attachment[] }
  | {
      readonly role: 'assistant';
      readonly text: Body;
      readonly reasoning?: Body;
      readonly calls: readonly MessageCall[];
      readonly carry?: unknown;
    }
  | {
      readonly role: 'tool';
      readonly call: CallId;
      readonly tool: string;
      readonly outcome: 'success' | 'error' | 'cancelled' | 'refused';
      readonly text: Body;
    }
  /** From an imported session: data, not words of a user here. See `quotation.ts`. */
  | { readonly role: 'quoted'; readonly from: string; readonly text: Body }
  /** A message from the runtime: an interrupt, a limit, a reviewer's comment, a worker's report. */
  | { readonly role: 'notice'; readonly text: string };

export interface MessageCall {
  readonly id: CallId;
  readonly tool: string;
  readonly args: Body;
}
