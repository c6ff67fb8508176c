import type { Attachment, Body } from './content.ts';
import type { CallId } from './ids.ts';

/** What a model is told. References stay references; whoever sends it reads the blobs. */
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
  /** Said in a session that was imported: data, and nobody's words here. See `quotation.ts`. */
  | { readonly role: 'quoted'; readonly from: string; readonly text: Body }
  /** Something the runtime tells the model: an interrupt, a limit, a reviewer's words, a worker's report. */
  | { readonly role: 'notice'; readonly text: string };

export interface MessageCall {
  readonly id: CallId;
  readonly tool: string;
  readonly args: Body;
}
