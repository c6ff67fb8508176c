/** Interprets a typed line as a command, a shell command or a prompt. */
import type { Attachment } from '../../kernel/content.ts';
import type { ClientInput } from '../../ports/client-input.ts';
import type { ChatView } from './chat-view.ts';

interface LineParts {
  readonly view: () => ChatView | undefined;
  /** False if the line isn't a command. */
  command(line: string): Promise<boolean>;
  send(input: ClientInput): Promise<boolean>;
  /** Runs a command that the user typed. */
  shell(command: string): Promise<void>;
}

interface TypedLine {
  readonly line: string;
  readonly attachments: readonly Attachment[];
}

/** A question that came while the line was typed doesn't take it as its answer. */
export async function submitLine({ line, attachments }: TypedLine, parts: LineParts): Promise<void> {
  const { send } = parts;
  if (await parts.command(line)) return;
  const view = parts.view();
  if (view?.status?.queue.paused === true) await send({ type: 'queue', change: { type: 'resumed' } });
  if (line.startsWith('!') && line.trim() !== '!') return parts.shell(line.slice(1).trim());
  await send({ type: 'chat', text: line, ...(attachments.length > 0 && { attachments }) });
}
