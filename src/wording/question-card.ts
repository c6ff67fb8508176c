/**
 * An open question as lines, the same in `rondo run`, `show`, `answer`, `inbox` and the chat. A front end chooses
 * colors, indentation and wrapping, never the text.
 *
 * 1. The heading names the most dangerous part and the number of parts.
 * 2. The card shows everything that a yes would run or change: each part of a command, each changed line, each
 *    argument.
 * 3. Each choice shows the exact rule that it saves.
 * 4. Nothing is hidden: control, bidirectional and zero-width characters appear as their codes.
 */
import { terminalColumns } from './columns.ts';
import { isBlobRef, previewOf } from '../kernel/content.ts';
import type { Answer } from '../kernel/question.ts';
import { argumentsOf, type CallArguments } from '../views/call-arguments.ts';
import { changesIn, type CallChange } from '../views/call-changes.ts';
import { changeCounts, type DiffLine } from '../kernel/line-diff.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { judgedParts, namedPart } from '../views/covering-rule.ts';
import { partRisk } from '../views/part-risk.ts';
import { isDangerous } from './effect-heading.ts';
import { answerCommandText, choicesOf } from './question-choices.ts';
import { questionHeading } from './question.ts';
import { singleField } from './single-field.ts';
import { visibleLine, visibleText } from '../views/visible-text.ts';
import { reasonText } from './reason.ts';

type Asked = Pick<OpenQuestion, 'about' | 'facts' | 'allowedBy'>;

export interface CardLine {
  readonly tone: 'heading' | 'plain' | 'quiet' | 'danger' | 'caution' | 'added' | 'removed';
  readonly text: string;
}

export interface CardOptions {
  /** The full arguments, if the question holds only their beginning. */
  readonly args?: string | undefined;
  /** Content of the file that the call changes. */
  readonly before?: string | undefined;
  /** How many changed lines to show. Default: all. */
  readonly most?: number;
  /** Omits the changed lines, for front ends that show them as a diff. */
  readonly changes?: 'omitted';
}

/** The full card: the question, its details, and the possible answers. */
export function questionCard(
  question: OpenQuestion,
  options: CardOptions & { readonly answerBy: 'key' | 'command'; readonly storeFlag?: string },
): readonly CardLine[] {
  const { answerBy, storeFlag = '' } = options;
  const ways = answerBy === 'key' ? keyLines(question) : commandLines(question, storeFlag);
  return [
    { tone: 'heading', text: `${questionHeading(question)}  (${question.id})` },
    ...questionBody(question, options).map(indented),
    ...ways.map(indented),
  ];
}

/** The part below the heading, without the choices. */
export function questionBody(question: OpenQuestion, options: CardOptions = {}): readonly CardLine[] {
  const { about } = question;
  switch (about.type) {
    case 'approval':
      return [
        ...(about.title === undefined ? [] : [line('quiet', visibleLine(about.title))]),
        ...callLines(question, about.tool, options),
        line('quiet', `Why: ${visibleLine(reasonText(about.reason))} (${visibleLine(about.rule)})`),
      ];
    case 'repeat':
      return [...callLines(question, about.what, options), line('quiet', visibleLine(about.reason))];
    case 'clarification':
      return visibleText(previewOf(about.text))
        .split('\n')
        .slice(1)
        .map((text) => line('plain', text));
    case 'reply-review':
      return [];
    case 'form':
      return about.url === undefined && choicesOf(about).length === 0 ? fieldLines(about.schema) : [];
  }
}

/** An irreversible call gets no permanent rule. */
export function offeredChoices(question: Asked): ReturnType<typeof choicesOf> {
  const choices = choicesOf(question.about);
  return isDangerous(question) ? choices.filter(({ answer }) => answer.type !== 'allow-always') : choices;
}

/** The keys and their answers. */
export function keyLines(question: Asked): readonly CardLine[] {
  const { about } = question;
  const choices = offeredChoices(question);
  const width = Math.max(0, ...choices.map(({ label }) => label.length));
  const rows = choices.map(({ key, label, effect }) => row(`${key}  ${label.padEnd(width)}  ${effect}`));
  switch (about.type) {
    case 'clarification':
      return [...rows, line('quiet', choices.length === 0 ? 'Type your answer.' : 'Or type another answer.')];
    case 'form':
      if (about.url !== undefined || choices.length > 0) return rows;
      return [
        line('quiet', singleField(about.schema) === undefined ? 'Type the answer as JSON.' : 'Type your answer.'),
      ];
    case 'approval':
    case 'repeat':
    case 'reply-review':
      return rows;
  }
}

function commandLines(question: OpenQuestion, storeFlag: string): readonly CardLine[] {
  const { id, about } = question;
  const choices = offeredChoices(question).map(({ answer, effect }) => ({
    command: commandText(question, answer),
    effect,
  }));
  if (about.type === 'clarification')
    choices.push({ command: answerCommandText(id, { type: 'text', text: '' }), effect: '' });
  if (about.type === 'form' && about.url === undefined && choices.length === 0)
    choices.push({ command: answerCommandText(id, { type: 'form', form: {} }), effect: '' });
  const width = Math.max(...choices.map(({ command }) => command.length)) + storeFlag.length;
  const rows = choices.map(({ command, effect }) => row(`  ${`${command}${storeFlag}`.padEnd(width)}  ${effect}`));
  return [line('quiet', 'Answer with:'), ...rows];
}

/** With the flag that it needs. */
function commandText(question: OpenQuestion, answer: Answer): string {
  const needsFlag = answer.type.startsWith('allow') && isDangerous(question);
  return `${answerCommandText(question.id, answer)}${needsFlag ? ` --${undoFlag(question)}` : ''}`;
}

/** The flag of `rondo answer` that confirms what can't be undone, named after the worst effect. */
export function undoFlag(question: Asked): 'yes-delete' | 'yes-push' {
  return namedPart(question)?.effect === 'send' ? 'yes-push' : 'yes-delete';
}

/** A terminal's rows: the answer, the command that gives it, and the rule that it saves, below if it doesn't fit. */
export function answerLines(question: OpenQuestion, width: number, storeFlag = ''): readonly string[] {
  const rows = offeredChoices(question).map(({ answer, label, effect }) => ({
    label,
    command: `${commandText(question, answer)}${storeFlag}`,
    effect,
  }));
  if (question.about.type === 'clarification')
    rows.push({
      label: 'Another',
      command: answerCommandText(question.id, { type: 'text', text: '' }),
      effect: '',
    });
  const [labels, commands] = [
    Math.max(0, ...rows.map(({ label }) => label.length)),
    Math.max(0, ...rows.map(({ command }) => command.length)),
  ];
  return rows.flatMap(({ label, command, effect }) => {
    const start = `${label.padEnd(labels)}   ${command.padEnd(commands)}`;
    const line = `${start}   ${effect}`.trimEnd();
    return terminalColumns(line) <= width ? [line] : [start.trimEnd(), `    ${effect}`];
  });
}

function callLines(question: OpenQuestion, tool: string, options: CardOptions): readonly CardLine[] {
  const { args = '', facts } = question;
  const whole = options.args ?? (isBlobRef(args) ? undefined : args);
  const given = whole === undefined ? undefined : argumentsOf(whole);
  const changes = changesIn(tool, given, options.before);
  return [
    ...commandOf(question, given),
    ...partLines(question),
    ...(options.changes === 'omitted' ? [] : changes.flatMap((change) => changeLines(change, options))),
    ...(changes.length > 0 ? [] : argumentLines(given)),
    ...(given === undefined && previewOf(args) !== '' ? [cutLine(args)] : []),
    ...(facts?.urls ?? []).map((url) => line('caution', `! Reaches ${visibleLine(url)}`)),
    ...(facts?.paths ?? []).flatMap(({ path, inside, sensitive }) => [
      ...(inside ? [] : [line('danger', `!! Outside the session's folders: ${visibleLine(path)}`)]),
      ...(sensitive === true ? [line('caution', `! Holds secrets or settings: ${visibleLine(path)}`)] : []),
    ]),
    ...dangerLines(question),
  ];
}

/** The command as written, if its parts alone don't show it. */
function commandOf({ facts }: OpenQuestion, given: CallArguments | undefined): readonly CardLine[] {
  const command = given?.['command'];
  const segments = facts?.segments ?? [];
  if (typeof command !== 'string' || (segments.length === 1 && segments[0]?.text === command)) return [];
  return visibleText(command)
    .split('\n')
    .map((text, index) => line('plain', `${index === 0 ? '$' : ' '} ${text}`));
}

function partLines(question: OpenQuestion): readonly CardLine[] {
  const parts = judgedParts(question).map((part) => ({
    text: visibleLine(part.text),
    risk: partRisk(part),
    allowing: part.allowing,
  }));
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    const { level, effect } = only.risk;
    const [mark, tone] = level === 3 ? (['!!', 'danger'] as const) : (['!', 'caution'] as const);
    return effect === undefined ? [] : [line(tone, `${mark} ${visibleLine(effect)}`)];
  }
  if (parts.length === 0) return [];
  const width = Math.min(60, Math.max(...parts.map(({ text }) => text.length)));
  const rows = parts.map(({ text, risk: { level, effect }, allowing }, index): CardLine => {
    const mark = level === 3 ? '!!' : level > 0 ? '! ' : '  ';
    const says = [effect, allowing === undefined ? undefined : `allowed by ${allowing}`];
    const does = says.flatMap((words) => (words === undefined ? [] : [`  ${visibleLine(words)}`])).join('');
    const tone = level === 3 ? 'danger' : level > 0 ? 'caution' : 'plain';
    return line(tone, `${mark} ${index + 1}  ${does === '' ? text : text.padEnd(width)}${does}`);
  });
  return [line('quiet', `${parts.length} parts, a yes runs all of them:`), ...rows];
}

/** Dangers of the whole command. Those of one part appear next to it. */
function dangerLines({ facts }: OpenQuestion): readonly CardLine[] {
  const parts = new Set(facts?.segments?.map(({ text }) => text));
  return (facts?.dangers ?? [])
    .filter(({ unit }) => unit === undefined || !parts.has(unit))
    .map(({ reason }) => line('danger', `!! ${visibleLine(reason)}`));
}

function changeLines({ path, lines }: CallChange, { most = Infinity }: CardOptions): readonly CardLine[] {
  const { added, removed } = changeCounts(lines);
  const left = lines.length - most;
  return [
    line('plain', `${visibleLine(path)}  +${added} −${removed}`),
    ...lines.slice(0, most).map(diffLine),
    ...(left > 0 ? [line('quiet', `… ${left} more lines; \`rondo inbox QUESTION\` shows all`)] : []),
  ];
}

function diffLine({ type, text, before, after }: DiffLine): CardLine {
  const number = before === undefined && after === undefined ? '' : `${`${after ?? before}`.padStart(4)} `;
  switch (type) {
    case 'added':
      return line('added', `${number}+ ${visibleLine(text)}`);
    case 'removed':
      return line('removed', `${number}- ${visibleLine(text)}`);
    case 'same':
      return line('quiet', `${number}  ${visibleLine(text)}`);
    case 'hunk':
      return line('quiet', '⋯');
  }
}

/** All arguments not shown above. */
function argumentLines(given: CallArguments | undefined): readonly CardLine[] {
  return Object.entries(given ?? {})
    .filter(([name]) => name !== 'command')
    .flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const [first = '', ...rest] = visibleText(text).split('\n');
      return [line('plain', `${name}: ${first}`), ...rest.map((more) => line('plain', `  ${more}`))];
    });
}

function cutLine(args: NonNullable<OpenQuestion['args']>): CardLine {
  const size = isBlobRef(args) ? `… (${args.length} characters in all)` : '';
  return line('plain', `${visibleLine(previewOf(args))}${size}`);
}

function fieldLines(schema: unknown): readonly CardLine[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, FormField>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { type = 'any', title = '', description = '', ...more }]) => {
    const values = more.enum ?? more.oneOf?.map((option) => option.const);
    const kind = values === undefined ? type : values.map((value) => JSON.stringify(value)).join(' | ');
    const must = required.includes(name) ? ', required' : '';
    const about = [title, description].filter((text) => text !== '').join(': ');
    return line('plain', visibleLine(`${name} (${kind}${must}) ${about}`).trimEnd());
  });
}

interface FormField {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const: unknown }[];
}

function line(tone: CardLine['tone'], text: string): CardLine {
  return { tone, text };
}

function row(text: string): CardLine {
  return { tone: 'plain', text: text.trimEnd() };
}

function indented({ tone, text }: CardLine): CardLine {
  return { tone, text: `  ${text}` };
}
