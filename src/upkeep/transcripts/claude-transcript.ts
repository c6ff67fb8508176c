/** Transcripts of Claude Code (recorded with 2.1.326): `~/.claude/projects/FOLDER/ID.jsonl`. */
import { isJsonObject } from '../../kernel/json-object.ts';
import {
  collectTurns,
  entriesOf,
  entryIn,
  textIn,
  timeIn,
  type TranscriptEntry,
  type OtherTranscript,
} from './transcript.ts';

/** Entries of a sub-agent (`isSidechain`) and of the tool itself (`isMeta`) aren't part of the conversation. */
export function readClaudeTranscript(text: string, id: string): OtherTranscript {
  const turns = collectTurns();
  let cwd = '';
  let title = '';
  for (const entry of entriesOf(text)) {
    cwd ||= textIn(entry, 'cwd');
    if (entry['isSidechain'] === true || entry['isMeta'] === true) continue;
    switch (entry['type']) {
      case 'user':
        readUser(entry, turns);
        break;
      case 'assistant':
        readAnswer(entryIn(entry, 'message')['content'], turns);
        break;
      case 'summary':
        title = textIn(entry, 'summary');
        break;
      default:
        if (!NOTES.has(textIn(entry, 'type'))) turns.unknown(entry);
    }
  }
  return turns.done({ id, ...(cwd !== '' && { cwd }), ...(title !== '' && { title }) });
}

/** Claude Code's own bookkeeping. */
const NOTES: ReadonlySet<string> = new Set([
  'agent-color',
  'agent-name',
  'agent-setting',
  'ai-title',
  'attachment',
  'attribution-snapshot',
  'content-replacement',
  'custom-title',
  'file-history-delta',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'system',
  'tag',
  'task-summary',
  'worktree-state',
]);

type Turns = ReturnType<typeof collectTurns>;

function readUser(entry: TranscriptEntry, turns: Turns): void {
  const { content } = entryIn(entry, 'message');
  if (typeof content === 'string') {
    turns.prompt(content, timeIn(entry));
    return;
  }
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  for (const part of parts)
    if (part['type'] === 'tool_result') turns.output(textIn(part, 'tool_use_id'), outputOf(part['content']));
  const texts = parts.flatMap((part) => (part['type'] === 'text' ? [textIn(part, 'text')] : []));
  if (texts.length > 0) turns.prompt(texts.join('\n'), timeIn(entry));
  for (const { type } of parts) if (type !== 'tool_result' && type !== 'text') turns.unknown({ type });
}

function readAnswer(content: unknown, turns: Turns): void {
  if (typeof content === 'string') turns.text(content);
  else
    for (const part of Array.isArray(content) ? content : [content])
      if (isJsonObject(part)) readPart(part, turns);
      else turns.unknown({ type: 'assistant', part });
}

function readPart(part: TranscriptEntry, turns: Turns): void {
  switch (part['type']) {
    case 'text':
      turns.text(textIn(part, 'text'));
      break;
    case 'tool_use':
      turns.call(textIn(part, 'id'), textIn(part, 'name'), part['input']);
      break;
    case 'thinking':
    case 'redacted_thinking':
      break;
    default:
      turns.unknown(part);
  }
}

function outputOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts
    .map((part) => (part['type'] === 'text' ? textIn(part, 'text') : `[${String(part['type'])}]`))
    .join('\n');
}
