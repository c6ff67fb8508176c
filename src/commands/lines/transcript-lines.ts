/** The conversation as lines of text. */
import { previewOf, type Body } from '../../kernel/content.ts';
import { noticeText } from '../../wording/notice.ts';
import { oneLine } from '../../views/one-line.ts';
import type { CallItem, Item, PromptItem } from '../../views/transcript-item.ts';
import { durationText } from '../../wording/duration.ts';
import { subjectText } from '../../wording/question.ts';
import type { Terminal, Tone } from '../../wording/terminal-style.ts';
import { printable, withoutControls } from '../../views/printable.ts';
import { callPart } from '../../views/call-summary.ts';
import { questionEndText } from '../../wording/answer.ts';
import { endingText } from '../../wording/ending.ts';

export async function itemLines(
  item: Item,
  read: (body: Body) => Promise<string>,
  { isTerminal, paint }: Terminal,
): Promise<readonly string[]> {
  const shown = (text: string) => (isTerminal ? printable(text) : withoutControls(text)).trimEnd();
  const quoted = async (body: Body) =>
    shown(await read(body))
      .split('\n')
      .map((line) => `  ${line}`);
  switch (item.type) {
    case 'prompt':
      return [
        `${paint.strong(item.by.name)}:`,
        ...(item.asked.type === 'chat' ? await quoted(item.asked.text) : [`  ${askedText(item.asked)}`]),
      ];
    case 'message': {
      const said = await quoted(item.text);
      const { outcome } = item;
      const cut = outcome.type === 'completed' ? [] : [`  ${paint.bad(`(${outcome.type})`)}`];
      return [`${paint.accent(item.agent ?? 'agent')}:`, ...said, ...cut];
    }
    case 'call':
      return [callLine(item, await read(item.args), paint)];
    case 'question':
      return [
        paint.warning(`? ${oneLine(subjectText(item.about))}`),
        `  ${questionEndText(item.state) ?? 'Open'}`,
      ];
    case 'notice':
      return [paint.quiet(`- ${noticeText(item.about, item.by.type === 'person' ? item.by : undefined)}`)];
    case 'ending':
      return [
        item.ending.type === 'completed'
          ? paint.quiet(
              `- Completed${item.durationMs === undefined ? '' : ` in ${durationText(item.durationMs)}`}`,
            )
          : paint.bad(`- ${endingText(item.ending)}`),
      ];
    case 'worker':
      return [
        `- worker ${item.worker}: ${item.state}`,
        ...(item.text === undefined ? [] : await quoted(item.text)),
      ];
    case 'agent-message':
    case 'agent-thought':
      return [`${paint.accent(item.agent ?? 'agent')}:`, ...(await quoted(item.text))];
    case 'agent-call':
      return [`- ${item.title ?? item.call}: ${item.state} (${supervision(item)})`];
    case 'agent-plan':
      return ['- plan:', ...item.entries.map((entry) => `  ${oneLine(JSON.stringify(entry))}`)];
  }
}

function supervision({ decided }: Extract<Item, { type: 'agent-call' }>): string {
  if (decided === undefined) return 'reported by the agent, not supervised';
  const { by, refused, rule } = decided;
  return `${refused === undefined ? 'allowed' : 'refused'} by ${rule === undefined ? by.name : `rule ${rule}`}`;
}

function askedText(asked: Exclude<PromptItem['asked'], { type: 'chat' }>): string {
  if (asked.type === 'task') return `run ${asked.tools.join(', ')}`;
  return asked.keep === undefined ? 'summarize' : `summarize, and keep: ${oneLine(previewOf(asked.keep))}`;
}

/** One call on one line: its result, the call, its duration. */
function callLine({ tool, state, facts }: CallItem, args: string, paint: Terminal['paint']): string {
  const { mark, tone, words } = callState(state);
  const took =
    'durationMs' in state && state.durationMs !== undefined ? ` (${durationText(state.durationMs)})` : '';
  return `${paint[tone](mark)} ${tool} ${paint.quiet(argumentText(args, facts))}${words}${took}`.trimEnd();
}

/** A call's main argument on one line. */
function argumentText(args: string, facts?: CallItem['facts']): string {
  return callPart(args, facts);
}

function callState(state: CallItem['state']): {
  readonly mark: string;
  readonly tone: Tone;
  readonly words: string;
} {
  switch (state.type) {
    case 'planned':
      return { mark: '·', tone: 'quiet', words: ' — planned' };
    case 'asking':
      return { mark: '?', tone: 'warning', words: ' — needs approval' };
    case 'running':
      return { mark: '…', tone: 'accent', words: ' — running' };
    case 'succeeded':
      return { mark: '✓', tone: 'good', words: '' };
    case 'failed':
      return { mark: '✗', tone: 'bad', words: ` — ${state.code}` };
    case 'refused':
      return { mark: '✗', tone: 'bad', words: ` — refused: ${oneLine(state.reason)}` };
    case 'cancelled':
      return { mark: '✗', tone: 'warning', words: ' — cancelled' };
  }
}
