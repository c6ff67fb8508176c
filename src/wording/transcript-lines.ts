/** One item of the conversation as lines, for `rondo show`, the chat in lines and MCP clients. */
import { isBlobRef, previewOf, type Body } from '../kernel/content.ts';
import { oneLine } from '../views/one-line.ts';
import { printable } from '../views/printable.ts';
import type { AgentCallItem, Item, PromptItem } from '../views/transcript-item.ts';
import { questionEndText } from './answer.ts';
import { callLine, timedCallLine } from './call-line.ts';
import { durationText } from './duration.ts';
import { endingText } from './ending.ts';
import { modelEndText } from './model-end.ts';
import { noticeText } from './notice.ts';
import { subjectText } from './question.ts';
import type { Terminal } from './terminal-style.ts';
import { nameFor } from './viewer.ts';
import { workerText } from './worker.ts';

interface LineLook extends Pick<Terminal, 'paint'> {
  /** Whose own name reads "you". */
  readonly viewer?: string;
  /** The whole text of a body, or its beginning if only that is known. */
  readonly textOf: (body: Body) => string;
}

export function transcriptLines(item: Item, { paint, textOf, viewer }: LineLook): readonly string[] {
  const quoted = (text: string) =>
    printable(text)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`);
  switch (item.type) {
    case 'prompt':
      return [`${paint.strong(nameFor(viewer, item.by.name))}:`, ...quoted(promptRequestText(item.asked, textOf))];
    case 'message': {
      const end = modelEndText(item.outcome);
      const lines = end === '' ? [] : [`  ${paint.bad(oneLine(end))}`];
      return [`${paint.accent(item.agent ?? 'agent')}:`, ...quoted(textOf(item.text)), ...lines];
    }
    case 'call':
      return [timedCallLine(callLine(item, paint, textOf))];
    case 'question':
      return [
        paint.warning(`? ${oneLine(subjectText(item.about))}`),
        `  ${questionEndText(item.state, viewer) ?? 'Open'}`,
      ];
    case 'notice':
      return [
        paint.quiet(
          `- ${noticeText(item.about, item.by.type === 'person' ? { name: nameFor(viewer, item.by.name) } : undefined)}`,
        ),
      ];
    case 'ending': {
      const took = item.durationMs === undefined ? '' : ` in ${durationText(item.durationMs)}`;
      const isCompleted = item.ending.type === 'completed';
      return [isCompleted ? paint.quiet(`- Completed${took}`) : paint.bad(`- ${endingText(item.ending)}`)];
    }
    case 'worker':
      return [`- ${workerText(item)}`, ...(item.text === undefined ? [] : quoted(textOf(item.text)))];
    case 'agent-message':
    case 'agent-thought':
      return [`${paint.accent(item.agent ?? 'agent')}:`, ...quoted(textOf(item.text))];
    case 'agent-call':
      return [`- ${oneLine(item.title ?? item.call)}: ${item.state} (${supervisionText(item, viewer)})`];
    case 'agent-plan':
      return item.entries.map(({ text, state }) => `- [${state}] ${oneLine(text)}`);
  }
}

/** The same with every text whole. */
export async function wholeTranscriptLines(
  item: Item,
  read: (body: Body) => Promise<string>,
  look: Omit<LineLook, 'textOf'>,
): Promise<readonly string[]> {
  const wanted = new Set<Body>();
  transcriptLines(item, { ...look, textOf: (body) => (wanted.add(body), previewOf(body)) });
  const refs = [...wanted].filter(isBlobRef);
  const texts = new Map(await Promise.all(refs.map(async (ref) => [ref, await read(ref)] as const)));
  return transcriptLines(item, {
    ...look,
    textOf: (body) => (isBlobRef(body) ? texts.get(body) : body) ?? previewOf(body),
  });
}

/** Whether a rule or a person decided about an external agent's call. */
export function supervisionText({ decided }: Pick<AgentCallItem, 'decided'>, viewer?: string): string {
  if (decided === undefined) return 'reported by the agent, not supervised';
  const { by, refused, rule } = decided;
  return `${refused === undefined ? 'allowed' : 'refused'} by ${rule === undefined ? nameFor(viewer, by.name) : `rule ${rule}`}`;
}

/** What a prompt asks for. */
export function promptRequestText(asked: PromptItem['asked'], textOf: (body: Body) => string): string {
  switch (asked.type) {
    case 'chat':
      return textOf(asked.text);
    case 'task':
      return `run ${asked.tools.join(', ')}`;
    case 'compact':
      return asked.keep === undefined
        ? 'summarize the conversation'
        : `summarize, and keep: ${textOf(asked.keep)}`;
  }
}
