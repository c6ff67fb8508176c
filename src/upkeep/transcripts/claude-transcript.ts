/** Transcripts of Claude Code (recorded with 2.1.326): `~/.claude/projects/FOLDER/ID.jsonl`. */
import {
  collectTurns,
  entriesOf,
  entryIn,
  isEntry,
  listIn,
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
        for (const part of listIn(entryIn(entry, 'message'), 'content')) readAssistant(part, turns);
        break;
      case 'summary':
        title = textIn(entry, 'summary');
        break;
    }
  }
  return turns.done({ id, ...(cwd !== '' && { cwd }), ...(title !== '' && { title }) });
}

type Turns = ReturnType<typeof collectTurns>;

function readUser(entry: TranscriptEntry, turns: Turns): void {
  const { content } = entryIn(entry, 'message');
  if (typeof content === 'string') {
    turns.prompt(content, timeIn(entry));
    return;
  }
  for (const part of Array.isArray(content) ? content.filter(isEntry) : []) {
    if (part['type'] === 'tool_result') turns.output(textIn(part, 'tool_use_id'), outputOf(part['content']));
    else if (part['type'] === 'text') turns.prompt(textIn(part, 'text'), timeIn(entry));
    else turns.unknown({ type: part['type'] });
  }
}

function readAssistant(part: TranscriptEntry, turns: Turns): void {
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
  const parts = Array.isArray(content) ? content.filter(isEntry) : [];
  return parts
    .map((part) => (part['type'] === 'text' ? textIn(part, 'text') : `[${String(part['type'])}]`))
    .join('\n');
}
