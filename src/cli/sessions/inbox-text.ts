/** The list and the requests of `rondo inbox` as text: aligned for a person, complete for a pipe. */
import type { Body } from '../../kernel/content.ts';
import type { QuestionId } from '../../kernel/ids.ts';
import type { Environment } from '../../ports/environment.ts';
import { namedPart } from '../../views/covering-rule.ts';
import { partRisk } from '../../views/part-risk.ts';
import { ageText } from '../../wording/duration.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import { answerLines } from '../../wording/question-card.ts';
import { questionHeading } from '../../wording/question.ts';
import { isolatedLines } from '../../wording/isolates.ts';
import { tableText } from '../../wording/table.ts';
import type { Terminal } from '../../wording/terminal-style.ts';
import { questionCardLines } from './question-card-lines.ts';
import type { WaitingQuestion } from './waiting-questions.ts';

export function inboxTable(asked: readonly WaitingQuestion[], terminal: Terminal, now: number): string {
  const { isTerminal } = terminal;
  const columns = [
    ...(isTerminal ? [''] : []),
    '',
    { title: 'question', gives: true },
    { title: 'session', gives: true },
    'risk',
    { title: 'age', align: 'right' },
    // For scripts: a person types the number.
    ...(isTerminal ? [] : ['id']),
  ] as const;
  const rows = asked.map(({ question, title, cwd }, index) => {
    const worst = namedPart(question);
    const level = worst === undefined ? 0 : partRisk(worst).level;
    const mark =
      level === 3 ? '!!' : level > 0 ? '!' : isTerminal && question.about.type !== 'approval' ? '?' : '';
    return [
      ...(isTerminal ? [{ text: '●', tone: 'warning' } as const] : []),
      `${index + 1}`,
      isTerminal ? effectHeading(question) : questionHeading(question),
      `${title} · ${cwd.split('/').at(-1) ?? cwd}`,
      { text: mark, tone: level === 3 ? 'bad' : 'warning' } as const,
      ageText(now - question.openedAt),
      ...(isTerminal ? [] : [question.id]),
    ];
  });
  const table = tableText(columns, rows, terminal);
  return isTerminal
    ? `${isolatedLines(table)}\n\n${asked.length} open\n${ways.join(terminal.width < 100 ? '\n' : '   ')}`
    : table;
}

const ways = ['Show one: rondo inbox 1', 'Answer: rondo answer 1 allow', 'Interactive: rondo inbox -i'];

interface QuestionPlace {
  /** Reads a full text of which the journal holds the beginning. */
  readonly read: (body: Body) => Promise<string>;
  readonly terminal: Terminal;
  readonly env: Environment;
  readonly now: number;
  readonly answerBy: 'key' | 'command';
  readonly storeFlag?: string;
  /** Its number in the list. Default: its id. */
  readonly name?: string | undefined;
}

export async function inboxQuestionText(
  { question, title, cwd, state }: WaitingQuestion,
  { read, terminal, env, now, ...how }: QuestionPlace,
): Promise<string> {
  const { paint, isTerminal, width } = terminal;
  const age = ageText(now - question.openedAt);
  if (isTerminal) {
    const { requestBodyLines, requestLines } = await import('./request-lines.ts');
    const place = { read, cwd, columns: width, env };
    const from = paint.quiet(`${title} · ${cwd.split('/').at(-1) ?? cwd} · ${age} · question ${question.id}`);
    if (how.answerBy === 'key') return [from, ...(await requestLines(question, place))].join('\n');
    const body = await requestBodyLines(question, place);
    const answers = answerLines(
      { ...question, id: (how.name ?? question.id) as QuestionId },
      width,
      how.storeFlag,
    );
    const parts = body.length === 0 ? [] : ['', ...body];
    return [paint.strong(effectHeading(question)), from, ...parts, '', ...answers].join('\n');
  }
  const [heading = '', ...rest] = await questionCardLines(question, { read, cwd, paint, ...how });
  return [heading, paint.quiet(`  ${title} · ${cwd} · ${state.id} · ${age} ago`), ...rest].join('\n');
}
