/**
 * A chat without a screen: the current session, its view, and the effect of a line or a key. Screens (the
 * terminal's, or plain lines) draw `view` and forward the user's actions.
 *
 * 1. Everything the user sends goes to the session as an input. Nothing is kept here that a restart would lose.
 * 2. The view follows only the session's updates, so other clients' actions show like the user's own.
 * 3. An error shows as text on the screen. It never ends the chat.
 */
import type { Attachment, Body } from '../../kernel/content.ts';
import type { Answer } from '../../kernel/question.ts';
import type { Command } from '../../commands/command.ts';
import type { InboxRequest } from '../../commands/command-result.ts';
import type { CommandRegistry } from '../../commands/registry.ts';
import type { ClientInput } from '../../ports/client-input.ts';
import type { NewSession } from '../../ports/rondo-client.ts';
import type { SessionFileChange } from '../../ports/session-changes.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { RewindPoint } from '../../views/rewind-points.ts';
import type { ChatView, Note } from './chat-view.ts';
import type { Preset } from '../../views/rule-preset.ts';
import type { Theme } from '../theme.ts';

export interface Chat {
  readonly view: ChatView;
  /** The name under which this user's actions are recorded. */
  readonly self: string;
  readonly commands: CommandRegistry<Command>;
  readonly theme: Theme;
  readonly branch: string | undefined;
  /** How the next typed line is interpreted. */
  readonly entry: Entry;
  /** Conversation items before this index are hidden. */
  readonly clearedAt: number;
  /** The first open question of this session or of one that works for it. */
  readonly question: OpenQuestion | undefined;
  readonly isWorking: boolean;
  /** True if the server is unreachable. */
  readonly isLost: boolean;
  /** Since when it is unreachable. */
  readonly lostAt: number | undefined;
  /** Typed lines that the server hasn't confirmed, oldest first. They are sent again on reconnect. */
  readonly unsent: readonly string[];
  /** True if the session contains anything worth resuming. */
  readonly hasHistory: boolean;
  begin(session: SessionClient): Promise<void>;
  /** Submits a line: a command, a task (`!…`), an answer or a prompt with its attachments. */
  submit(line: string, attachments?: readonly Attachment[]): Promise<void>;
  /** Adds text to the running turn. */
  steer(text: string, attachments?: readonly Attachment[]): Promise<void>;
  answer(answer: Answer): Promise<void>;
  /** Answers a request of this session or of one that works for it. */
  answerFor(question: OpenQuestion, answer: Answer): Promise<void>;
  /** Allows these requests once, each by itself. */
  allowAll(questions: readonly OpenQuestion[]): Promise<void>;
  giveReason(): void;
  /** The next line answers the open question. */
  writeAnswer(): void;
  interrupt(): Promise<void>;
  /** Sends the last prompt again. */
  retry(): Promise<void>;
  /** Returns the text of a queued prompt to edit: the named one, else the next one, newest first. */
  editQueued(prompt?: number): Promise<string | undefined>;
  /** Takes a prompt from the queue into the running turn. */
  steerQueued(prompt: number): Promise<void>;
  stopEditing(): void;
  switchTo(agent: string): Promise<void>;
  open(session: string): Promise<void>;
  create(options?: NewSession): Promise<void>;
  send(input: ClientInput): Promise<boolean>;
  show(from: number): void;
  note(text: string, tone?: Note['tone']): void;
  wholeText(body: Body): Promise<string>;
  /** Loads a full text of which only the beginning is known. */
  wantText(body: Body): void;
  /** Content of the file that a request changes, once it is loaded. */
  fileBefore(question: OpenQuestion): string | undefined;
  /** The preset of the session's rules, and the next one with a message for the user. */
  readonly preset: Preset;
  nextMode(): Promise<string>;
  /** Resolves once nothing runs or waits, or only a person can continue. */
  settled(): Promise<void>;
  close(): void;
}

/** The reason that an interrupt from a chat gives. */
export const stoppedHere = 'interrupted from the terminal';

export type Entry =
  | { readonly type: 'prompt' }
  | { readonly type: 'reason' | 'answer'; readonly question: OpenQuestion }
  | { readonly type: 'queued'; readonly prompt: number };

/** Screen functions that commands use. */
export interface Screen {
  changed(): void;
  leave(): void;
  /** Puts text into the input, unless something was typed there. */
  setDraft?(text: string): void;
  /** Puts text on the clipboard. */
  copy?(text: string): void;
  /** Lists to choose from. Without them, a command's result is printed as lines. */
  readonly lists?: {
    pickSession(words: string): void;
    showJobs(): void;
    pickModel(current: string | undefined): void;
    pickAgent(current: string): void;
    pickMode(current: string): void;
    showInbox(requests: readonly InboxRequest[]): void;
    showChanges(changes: readonly SessionFileChange[]): void;
    /** Shows a long text from its first line. */
    showText(title: string, text: string): void;
    pickRewind(points: readonly RewindPoint[], session: SessionClient): void;
  };
}
