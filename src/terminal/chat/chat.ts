/**
 * A chat without a screen: which session is spoken to, what it shows, and what a line or a key does to it.
 * Screens (the terminal's, or lines where there is none) draw `view` and pass on what the person does.
 *
 * 1. Whatever the person sends goes to the session as an input; nothing here is kept that a restart would lose.
 * 2. The view follows the session's own updates alone, so another client's doing shows as well as one's own.
 * 3. A problem is said in words on the screen; it never ends the chat.
 */
import type { Body } from '../../kernel/content.ts';
import type { Answer } from '../../kernel/question.ts';
import type { Command } from '../../commands/command.ts';
import type { CommandRegistry } from '../../commands/registry.ts';
import type { ClientInput } from '../../ports/client-input.ts';
import type { NewSession } from '../../ports/rondo-client.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { ChatView, Note } from './chat-view.ts';
import type { Theme } from '../theme.ts';

export interface Chat {
  readonly view: ChatView;
  readonly commands: CommandRegistry<Command>;
  readonly theme: Theme;
  readonly branch: string | undefined;
  /** What the next line that is typed will be taken for. */
  readonly entry: Entry;
  /** Items of the conversation before this place are not shown. */
  readonly clearedAt: number;
  /** The open question that stands first, of this session or of one that works for it. */
  readonly question: OpenQuestion | undefined;
  readonly isWorking: boolean;
  /** The server can't be reached. */
  readonly isLost: boolean;
  /** What was typed and the server has not confirmed, oldest first. It is sent again on reconnecting. */
  readonly unsent: readonly string[];
  /** Whether anything was said in the session that a person might come back to. */
  readonly hasHistory: boolean;
  begin(session: SessionClient): Promise<void>;
  /** A line: a command, a task (`!…`), an answer or a prompt. */
  submit(line: string): Promise<void>;
  /** Words that join the running turn. */
  steer(text: string): Promise<void>;
  answer(answer: Answer): Promise<void>;
  giveReason(): void;
  interrupt(): Promise<void>;
  /** The text of the prompt in the queue that is edited next; the newest first. */
  editQueued(): Promise<string | undefined>;
  stopEditing(): void;
  switchTo(agent: string): Promise<void>;
  open(session: string): Promise<void>;
  create(options?: NewSession): Promise<void>;
  send(input: ClientInput): Promise<boolean>;
  show(from: number): void;
  note(text: string, tone?: Note['tone']): void;
  /** Reads the whole of a text of which only the opening is known. */
  wantText(body: Body): void;
  /** Resolves once nothing runs and nothing waits, or only a person can go on. */
  settled(): Promise<void>;
  close(): void;
}

export type Entry =
  | { readonly type: 'prompt' }
  | { readonly type: 'reason'; readonly question: OpenQuestion }
  | { readonly type: 'queued'; readonly prompt: number };

/** What a command may ask of whatever draws the chat. */
export interface Screen {
  changed(): void;
  leave(): void;
  /** Lists to choose from; without them, what a command returns is printed as lines. */
  readonly lists?: {
    pickSession(words: string): void;
    showJobs(): void;
  };
}
