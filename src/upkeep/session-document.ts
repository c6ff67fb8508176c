/** A session as a Markdown document: prompts, replies and decisions, collapsed tool calls, costs at the end. */
import type { Body } from '../kernel/content.ts';
import type { Recorded } from '../kernel/event.ts';
import type { State } from '../kernel/state.ts';
import { auditOf, type AuditEntry } from '../views/audit.ts';
import { itemsBetween } from '../views/persistent-list.ts';
import { subjectText } from '../wording/question.ts';
import type { CallItem, Item, PromptItem } from '../views/transcript-item.ts';
import { withoutControls } from '../views/printable.ts';
import { lastPage } from '../views/transcript-page.ts';
import { transcriptOf } from '../views/transcript.ts';
import { usageReportOf } from '../views/usage-report.ts';
import { questionEndText } from '../wording/answer.ts';
import { callLine, timedCallLine } from '../wording/call-line.ts';
import { costText } from '../wording/cost.ts';
import { endingText } from '../wording/ending.ts';
import { modelEndText } from '../wording/model-end.ts';
import { noticeText } from '../wording/notice.ts';
import { noPaint } from '../wording/terminal-style.ts';
import { promptRequestText, supervisionText } from '../wording/transcript-lines.ts';
import { workerText } from '../wording/worker.ts';
import { isCostKnown } from '../views/total-usage.ts';
import { inertMarkdown, inertWords } from './inert-markdown.ts';

export async function* sessionDocument(
  state: State,
  events: readonly Recorded[],
  read: (body: Body) => Promise<string>,
): AsyncGenerator<string> {
  const transcript = transcriptOf(state.id, events);
  const { items } = lastPage(transcript, Math.max(1, events.length));
  const title = inertWords(withoutControls(state.title ?? state.id));
  yield `# ${title}\n\n${headOf(state)}\n`;
  for (const item of items) {
    const lines = await itemText(item, read);
    if (lines !== '') yield `\n${lines}\n`;
  }
  yield `\n## Decisions\n\n${decisionsOf(state, events)}\n`;
  yield `\n## Usage\n\n${usageTable(state, events)}\n`;
}

function headOf(state: State): string {
  const { agent, mode, cwd, usage } = state;
  return [
    `- session: \`${state.id}\``,
    `- created: ${timeText(state.createdAt)}, last change: ${timeText(state.updatedAt)}`,
    `- agent: ${inertWords(`${agent.name}${agent.model === undefined ? '' : ` (${agent.model})`}, mode: ${mode.name}`)}`,
    `- folder: \`${inertWords(cwd)}\``,
    `- turns: ${usage.turns}, steps: ${usage.steps}, tool calls: ${usage.toolCalls}`,
  ].join('\n');
}

async function itemText(item: Item, read: (body: Body) => Promise<string>): Promise<string> {
  switch (item.type) {
    case 'prompt': {
      const text = await requestTextOf(item.asked, read);
      const files = item.asked.type === 'chat' ? (item.asked.attachments ?? []) : [];
      const attached = files
        .map(({ name, mediaType }) => `\n- attached: ${inertWords(`${name} (${mediaType})`)}`)
        .join('');
      return `## ${inertWords(item.by.name)}, ${timeText(item.receivedAt)}\n\n${inertMarkdown(text)}${attached}`;
    }
    case 'message': {
      const end = modelEndText(item.outcome);
      const cut = end === '' ? '' : `\n\n*${inertWords(end)}*`;
      return `### ${inertWords(item.agent ?? 'agent')}\n\n${inertMarkdown(await read(item.text))}${cut}`;
    }
    case 'call':
      return callText(item, read);
    case 'question':
      return `> **Question:** ${inertWords(subjectText(item.about))}\n>\n> ${inertWords(questionEndText(item.state) ?? 'Open')}`;
    case 'ending':
      return item.ending.type === 'completed' ? '' : `*${inertWords(endingText(item.ending))}*`;
    case 'notice':
      return `*${inertWords(noticeText(item.about, item.by.type === 'person' ? item.by : undefined))}*`;
    case 'worker':
      return `*${workerText(item)}*${item.text === undefined ? '' : `\n\n${inertMarkdown(await read(item.text))}`}`;
    case 'agent-message':
      return `### ${inertWords(item.agent ?? 'agent')}\n\n${inertMarkdown(await read(item.text))}`;
    case 'agent-thought':
      return folded(`${item.agent ?? 'agent'} thought`, inertMarkdown(await read(item.text)));
    case 'agent-call':
      return `*${inertWords(item.title ?? item.call)}: ${item.state} (${inertWords(supervisionText(item))})*`;
    case 'agent-plan':
      return item.entries.map(({ text, state }) => `- ${inertWords(text)} (${state})`).join('\n');
  }
}

async function requestTextOf(asked: PromptItem['asked'], read: (body: Body) => Promise<string>): Promise<string> {
  const body = asked.type === 'chat' ? asked.text : asked.type === 'compact' ? asked.keep : undefined;
  const text = body === undefined ? '' : await read(body);
  return promptRequestText(asked, () => text);
}

async function callText(item: CallItem, read: (body: Body) => Promise<string>): Promise<string> {
  const args = await read(item.args);
  const { state } = item;
  const result =
    state.type === 'succeeded'
      ? await read(state.output)
      : state.type === 'failed'
        ? `${state.code}: ${await read(state.message)}`
        : state.type === 'refused'
          ? `refused: ${state.reason}`
          : '';
  const line = callLine(item, noPaint);
  // "0.0s" tells a reader nothing.
  const isInstant = 'durationMs' in state && (state.durationMs ?? 0) < 50;
  return folded(
    isInstant ? line.text : timedCallLine(line),
    result === '' ? fenced(args) : `${fenced(args)}\n\n${fenced(result)}`,
  );
}

function folded(summary: string, body: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** A fence longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function decisionsOf(state: State, events: readonly Recorded[]): string {
  const { entries } = auditOf(state.id, events);
  const all = itemsBetween(entries, 0, entries.length);
  return all.length === 0 ? 'None.' : all.map(decisionText).join('\n');
}

function decisionText({ at, by, decided }: AuditEntry): string {
  const details = [
    'tool' in decided ? decided.tool : undefined,
    'answer' in decided ? decided.answer.type : undefined,
    'rule' in decided && decided.rule !== undefined ? `by the rule ${decided.rule}` : undefined,
    'reason' in decided ? decided.reason : undefined,
    'ending' in decided ? decided.ending.type : undefined,
  ].filter((part) => part !== undefined);
  return `- ${timeText(at)} ${inertWords([`${by.name}: ${decided.type.replaceAll('-', ' ')}`, ...details].join(', '))}`;
}

function usageTable(state: State, events: readonly Recorded[]): string {
  const { totals, models, workers } = usageReportOf(state.id, events);
  const row = (name: string, used: typeof totals) =>
    `| ${name} | ${used.inputTokens} | ${used.outputTokens} | ${costText({ cost: used.cost, costIsKnown: isCostKnown(used) })} |`;
  return [
    '| what | input tokens | output tokens | cost |',
    '|---|---|---|---|',
    row('session', totals),
    ...models.map(({ name, totals: used }) => row(inertWords(name), used)),
    ...workers.map(({ name, totals: used }) => row(`sub-agent ${inertWords(name)}`, used)),
  ].join('\n');
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}
