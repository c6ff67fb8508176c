/** Interprets a typed line as a command, an answer, a shell command or a prompt. */
import { answerFrom } from '../../commands/line-answer.ts';
import type { Attachment } from '../../kernel/content.ts';
import type { Answer, QuestionSubject } from '../../kernel/question.ts';
import type { ClientInput } from '../../ports/client-input.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { ChatView, Note } from './chat-view.ts';

interface LineParts {
  readonly view: () => ChatView | undefined;
  readonly question: () => OpenQuestion | undefined;
  /** False if the line isn't a command. */
  command(line: string): Promise<boolean>;
  send(input: ClientInput): Promise<boolean>;
  /** Runs a command that the user typed. */
  shell(command: string): Promise<void>;
  answer(asked: OpenQuestion, answer: Answer): Promise<void>;
  note(text: string, tone?: Note['tone']): void;
}

interface TypedLine {
  readonly line: string;
  readonly attachments: readonly Attachment[];
}

export async function submitLine({ line, attachments }: TypedLine, parts: LineParts): Promise<void> {
  const { question, send, note } = parts;
  if (await parts.command(line)) return;
  const view = parts.view();
  const asked = question();
  if (asked !== undefined && isAnsweredByLine(asked.about)) {
    const answer = answerFrom(asked.about, line.trim());
    return answer === undefined ? note("That isn't valid JSON.", 'warning') : parts.answer(asked, answer);
  }
  if (view?.status?.queue.paused === true) await send({ type: 'queue', change: { type: 'resumed' } });
  if (line.startsWith('!') && line.trim() !== '!') return parts.shell(line.slice(1).trim());
  await send({ type: 'chat', text: line, ...(attachments.length > 0 && { attachments }) });
}

/** Keys answer other questions, so a line is the next prompt. */
function isAnsweredByLine(about: QuestionSubject): boolean {
  return about.type === 'clarification' || (about.type === 'form' && about.url === undefined);
}
