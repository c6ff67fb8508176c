/**
 * A run's output for people. Standard output has only the reply. Standard error reports each call when it ends, and
 * on a terminal the current activity, a heading and a summary. Quiet: only the reply, questions and errors.
 */
import type { Event } from '../../kernel/event.ts';
import { isAgentText, type EffectId } from '../../kernel/ids.ts';
import { timedCallLine, type CallLine } from '../../wording/call-line.ts';
import { terminalColumns } from '../../wording/columns.ts';
import { costText, usedTokensText } from '../../wording/cost.ts';
import { durationText } from '../../wording/duration.ts';
import { replyProblem } from '../../wording/model-end.ts';
import type { Terminal } from '../../wording/terminal-style.ts';
import { printable, withoutControls } from '../../views/printable.ts';
import { coloredText } from '../terminal.ts';
import { isolatedLines } from '../../wording/isolates.ts';
import { createLightMarkdown } from '../../wording/light-markdown.ts';
import { createCallLog } from './call-log.ts';
import type { RunOutput, RunRecord, OutputStreams } from './run-output.ts';
import { createStatusLine } from './status-line.ts';

interface Terminals {
  readonly out: Terminal;
  readonly err: Terminal;
}

export interface TextOutputOptions {
  readonly isQuiet?: boolean;
  readonly now?: () => number;
}

/** Longer lines aren't aligned: their time follows the text. */
const mostAligned = 100;

export function createTextOutput(
  { out, err }: OutputStreams,
  terminals: Terminals,
  { isQuiet = false, now = Date.now }: TextOutputOptions = {},
): RunOutput {
  const { paint } = terminals.err;
  const say = (text: string) => {
    const safe = coloredText(text, terminals.err);
    err(terminals.err.isTerminal ? isolatedLines(safe) : safe);
  };
  const status = createStatusLine(err, terminals.err);
  const calls = createCallLog(paint);
  const clean = terminals.out.isTerminal ? printable : withoutControls;
  const isForPerson = terminals.err.isTerminal && !isQuiet;
  const startedAt = now();
  let streamed = '';
  /** The cursor is behind text, as far as this output knows. */
  let isMidLine = false;
  /** A call's line came last. */
  let isAfterLine = false;
  /** The last text that was fully streamed. Printing it again as the result would duplicate it. */
  let lastText = '';
  /** The model call that ended last: none of its text follows. */
  let settled: EffectId | undefined;
  /** An external agent's reply consists of several texts, all of which were streamed. */
  let isAgentTold = false;

  const markdown = terminals.out.isTerminal ? createLightMarkdown(terminals.out.paint) : undefined;
  const reply = (text: string) => {
    const safe = clean(text);
    if (safe !== '') {
      isMidLine = !safe.endsWith('\n');
      isAfterLine = false;
    }
    out(markdown === undefined ? safe : coloredText(markdown.add(safe), terminals.out));
  };
  const breakLine = () => {
    const rest = markdown?.rest() ?? '';
    if (rest !== '') out(coloredText(rest, terminals.out));
    if (isMidLine) out('\n');
    isMidLine = false;
  };
  const endLine = () => {
    breakLine();
    if (streamed !== '') lastText = streamed;
    streamed = '';
  };
  /** Text of another process's session may come later than the event that repeats it, or not at all. */
  const complete = ({ effect, outcome }: Extract<Event, { type: 'model-settled' }>) => {
    settled = effect;
    if (streamed === '' || outcome.type !== 'completed' || typeof outcome.text !== 'string') return;
    if (!outcome.text.startsWith(streamed) || outcome.text === streamed) return;
    reply(outcome.text.slice(streamed.length));
    streamed = outcome.text;
  };
  const tell = (line: string) => {
    status.clear();
    // The reply may continue after a status.
    if (terminals.out.isTerminal) breakLine();
    else if (isMidLine) say('\n');
    say(`${line}\n`);
    isAfterLine = true;
  };
  const tellCall = (line: CallLine | undefined) => {
    if (line === undefined || isQuiet) return;
    tell(withTime(line, terminals.err));
  };
  const finish = ({ text }: RunRecord) => {
    status.clear();
    tellCall(calls.flush());
    if (streamed === '' && text !== lastText && !isAgentTold) {
      streamed = text;
      reply(text);
    }
    endLine();
    lastText = '';
    isAgentTold = false;
  };

  return {
    earlier: (recorded) => void calls.saw(recorded),
    update(update) {
      if (update.type === 'progress') {
        if (update.kind === 'status' && !isQuiet) tell(update.text);
        if (update.kind !== 'text' || update.effect === settled) return;
        status.clear();
        if (update.offset === 0) {
          tellCall(calls.flush());
          if (isAgentText(update.effect)) {
            isAgentTold = true;
            endLine();
          } else if (streamed !== '') {
            // Printed text can't be withdrawn.
            breakLine();
            tell('The reply above was cut off. It starts again:');
          } else if (lastText !== '') {
            // Separate the text before a tool call from the text after it.
            out('\n');
          } else if (isAfterLine && isForPerson && terminals.out.isTerminal) say('\n');
          streamed = '';
        }
        streamed += update.text;
        reply(update.text);
      } else if (update.type === 'event') {
        const { event } = update.recorded;
        if (event.type === 'model-settled') complete(event);
        // The model's reply is complete, so the next output starts on a new line.
        if (event.type === 'model-settled' || event.type === 'turn-started') endLine();
        const problem = event.type === 'model-settled' ? replyProblem(event.outcome) : '';
        if (problem !== '') tell(problem);
        const { before, line, warning, doing } = calls.saw(update.recorded);
        tellCall(before);
        if (warning !== undefined && !terminals.err.isTerminal) tell(warning);
        else tellCall(line);
        if (doing !== undefined && !isQuiet && !(terminals.out.isTerminal && isMidLine)) status.show(doing);
      }
    },
    begin(heading) {
      if (isForPerson) say(`${paint.strong('rondo')}  ${paint.quiet(heading)}\n\n`);
    },
    replied: finish,
    result(record, asked = []) {
      finish(record);
      const { outcome, reason, session, resume, prompts } = record;
      const left =
        prompts === undefined ? 0 : prompts.given - prompts.completed - (outcome === 'completed' ? 0 : 1);
      if (outcome === 'completed') {
        if (record.text === '' && record.steps > 0 && record.toolCalls === 0) say('The reply was empty.\n');
        if (isForPerson) say(`\n${paint.quiet(summaryOf(record, now() - startedAt, calls.changes()))}\n`);
        return;
      }
      // Without a question, it waits for a node that can work on it.
      const waits = asked.length + record.questions.length === 0 ? reason : undefined;
      if (outcome === 'needs-input')
        say(`${paint.bad(waits ?? `Session ${session} is waiting for your answer.`)}\n`);
      else say(`${paint.bad(`Session ${session}: ${outcome}`)}${reason === undefined ? '' : ` — ${reason}`}\n`);
      for (const line of asked) say(`${line}\n`);
      if (left > 0) say(`${left} of ${prompts?.given ?? 0} prompts were not sent.\n`);
      say(`Resume with: ${resume}\n`);
    },
    clear() {
      status.clear();
      tellCall(calls.flush());
    },
  };
}

/** `Completed in 1m 59s · $0.42 · 38k tokens · 4 files +12 −6`, and how to resume. */
function summaryOf({ usage, session }: RunRecord, ms: number, changes: string): string {
  const parts = [`Completed in ${durationText(ms)}`, costText(usage), usedTokensText(usage), changes];
  return `${parts.filter((part) => part !== '').join(' · ')}\nResume with: rondo --session ${session}`;
}

/** A terminal aligns the times at the right, a pipe appends them. */
function withTime(line: CallLine, { isTerminal, width }: Terminal): string {
  const { text, took } = line;
  if (!isTerminal || took === '') return timedCallLine(line);
  // oxlint-disable-next-line no-control-regex -- styles take no column
  const columns = terminalColumns(text.replaceAll(/\u001B\[[\d;]*m/g, ''));
  const room = Math.min(width, mostAligned) - columns - took.length;
  return room < 2 ? `${text}  ${took}` : `${text}${' '.repeat(room)}${took}`;
}
