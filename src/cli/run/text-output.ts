/**
 * A run's output for people. Standard output has only the reply. Standard error reports each call when it ends, an
 * ending other than "completed", and on a terminal the current activity.
 */
import { isAgentText } from '../../kernel/ids.ts';
import type { Terminal } from '../../wording/terminal-style.ts';
import { printable, withoutControls } from '../../views/printable.ts';
import { createCallLog } from './call-log.ts';
import type { RunOutput, RunRecord, Streams } from './run-output.ts';
import { createStatusLine } from './status-line.ts';

export interface Terminals {
  readonly out: Terminal;
  readonly err: Terminal;
}

export function createTextOutput({ out, err }: Streams, terminals: Terminals): RunOutput {
  const { paint } = terminals.err;
  const status = createStatusLine(err, terminals.err);
  const calls = createCallLog(paint);
  const shown = terminals.out.isTerminal ? printable : withoutControls;
  let streamed = '';
  /** The last text that was fully streamed. Printing it again as the result would duplicate it. */
  let told = '';
  /** An external agent's reply consists of several texts, all of which were streamed. */
  let isAgentTold = false;

  const isMidLine = () => streamed !== '' && !streamed.endsWith('\n');
  const endLine = () => {
    if (isMidLine()) out('\n');
    if (streamed !== '') told = streamed;
    streamed = '';
  };
  const tell = (line: string) => {
    status.clear();
    if (terminals.out.isTerminal) endLine();
    err(`${line}\n`);
  };
  const finish = ({ text }: RunRecord) => {
    status.clear();
    if (streamed === '' && text !== told && !isAgentTold) {
      streamed = text;
      out(shown(text));
    }
    endLine();
    told = '';
    isAgentTold = false;
  };

  return {
    earlier: (recorded) => void calls.saw(recorded),
    update(update) {
      if (update.type === 'progress') {
        if (update.kind === 'status') tell(update.text);
        if (update.kind !== 'text') return;
        status.clear();
        if (update.offset === 0) {
          if (isAgentText(update.effect)) {
            isAgentTold = true;
            endLine();
          } else if (told !== '' && streamed === '') {
            // Separate the text before a tool call from the text after it.
            out('\n');
          }
          streamed = '';
        }
        streamed += update.text;
        out(shown(update.text));
      } else if (update.type === 'event') {
        const { event } = update.recorded;
        // The model's reply is complete, so the next output starts on a new line.
        if (event.type === 'model-settled' || event.type === 'turn-started') endLine();
        const { line, warning, doing } = calls.saw(update.recorded);
        const news = terminals.err.isTerminal ? line : (warning ?? line);
        if (news !== undefined) tell(news);
        if (doing !== undefined && !(terminals.out.isTerminal && isMidLine())) status.show(doing);
      }
    },
    replied: finish,
    result(record, asked = []) {
      finish(record);
      const { outcome, reason, session, resume, prompts } = record;
      const left =
        prompts === undefined ? 0 : prompts.given - prompts.completed - (outcome === 'completed' ? 0 : 1);
      if (outcome === 'completed') return;
      if (outcome === 'needs-input') err(`${paint.bad(`Session ${session} is waiting for your answer.`)}\n`);
      else err(`${paint.bad(`Session ${session}: ${outcome}`)}${reason === undefined ? '' : ` — ${reason}`}\n`);
      for (const line of asked) err(`${line}\n`);
      if (left > 0) err(`${left} of ${prompts?.given ?? 0} prompts were not sent.\n`);
      err(`Resume with: ${resume}\n`);
    },
    clear: () => status.clear(),
  };
}
