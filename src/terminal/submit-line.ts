/** What a person types is a command, the answer to what is asked, a shell command, or a prompt. */
import type { Answer, QuestionSubject } from '../kernel/question.ts';
import type { SlashCommands } from '../protocol/slash-commands.ts';
import type { ClientInput } from '../session/client-input.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import type { ChatView, Note } from './chat-view.ts';
import { answerFrom } from './line-answer.ts';

export interface LineParts {
  readonly commands: SlashCommands;
  readonly view: () => ChatView | undefined;
  readonly question: () => OpenQuestion | undefined;
  /** Whether commands go to a server. */
  readonly isServed: boolean;
  /** What a command shows. */
  command(name: string, args: Readonly<Record<string, string>>): Promise<string | undefined>;
  send(input: ClientInput): Promise<boolean>;
  answer(asked: OpenQuestion, answer: Answer): Promise<void>;
  note(text: string, tone?: Note['tone']): void;
}

export async function submitLine(line: string, parts: LineParts): Promise<void> {
  const { commands, question, send, note } = parts;
  const view = parts.view();
  const decision = commands.decide(line);
  switch (decision.type) {
    case 'command': {
      const shown = await parts.command(decision.name, decision.args);
      if (shown !== undefined && shown !== '') note(shown);
      return;
    }
    case 'missing-argument':
      return note(`/${decision.name} needs ${decision.parameter}: ${decision.usage}`, 'warning');
    case 'too-many-arguments':
      return note(`/${decision.name} was given too much: ${decision.usage}`, 'warning');
    case 'not-here':
      return note(`/${decision.name} is not there${parts.isServed ? ' over a server yet' : ' yet'}.`, 'warning');
    case 'unknown': {
      const near = decision.nearest === undefined ? '' : ` Did you mean /${decision.nearest}?`;
      return note(`There is no command /${decision.name}.${near} /help lists them.`, 'warning');
    }
    case 'verb':
    case 'no-command':
      break;
  }
  const asked = question();
  if (asked !== undefined && isAnsweredByLine(asked.about)) {
    const answer = answerFrom(asked.about, line.trim());
    return answer === undefined ? note('That is no JSON.', 'warning') : parts.answer(asked, answer);
  }
  if (view?.status?.queue.paused === true) await send({ type: 'queue', change: { type: 'resumed' } });
  if (line.startsWith('!') && line.trim() !== '!') {
    await send({ type: 'task', command: 'shell', args: { command: line.slice(1).trim() } });
    return;
  }
  await send({ type: 'chat', text: line });
}

/** Others are answered by a key, and a line is the next prompt. */
function isAnsweredByLine(about: QuestionSubject): boolean {
  return about.type === 'clarification' || (about.type === 'form' && about.url === undefined);
}
