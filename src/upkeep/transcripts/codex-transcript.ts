/** Transcripts of Codex (recorded with 0.169.0): `~/.codex/sessions/YEAR/MONTH/DAY/rollout-….jsonl`. */
import { fieldsOf, jsonIn } from '../../kernel/json-object.ts';
import {
  collectTurns,
  entriesOf,
  entryIn,
  listIn,
  textIn,
  timeIn,
  type TranscriptEntry,
  type OtherTranscript,
} from './transcript.ts';

export function readCodexTranscript(text: string, id: string): OtherTranscript {
  const turns = collectTurns();
  let cwd = '';
  for (const entry of entriesOf(text)) {
    const payload = entryIn(entry, 'payload');
    if (entry['type'] === 'session_meta') cwd ||= textIn(payload, 'cwd');
    if (entry['type'] === 'response_item') readItem(payload, timeIn(entry), turns);
    else if (!NOTES.has(textIn(entry, 'type'))) turns.unknown(entry);
  }
  return turns.done({ id, ...(cwd !== '' && { cwd }) });
}

/** Codex's own bookkeeping. A shortened conversation also has its whole history. */
const NOTES: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'event_msg',
  'compacted',
  'world_state',
]);

function readItem(item: TranscriptEntry, at: number, turns: ReturnType<typeof collectTurns>): void {
  switch (item['type']) {
    case 'message': {
      const text = listIn(item, 'content')
        .map((part) => textIn(part, 'text'))
        .join('\n');
      if (item['role'] === 'assistant') turns.text(text);
      else if (item['role'] === 'user' && !isSurroundings(text)) turns.prompt(text, at);
      break;
    }
    case 'function_call':
      turns.call(textIn(item, 'call_id'), textIn(item, 'name'), asLine(argumentsIn(item)));
      break;
    case 'custom_tool_call':
      turns.call(textIn(item, 'call_id'), textIn(item, 'name'), { input: textIn(item, 'input') });
      break;
    case 'local_shell_call':
      turns.call(textIn(item, 'call_id'), 'shell', asLine(item['action']));
      break;
    case 'function_call_output':
    case 'custom_tool_call_output':
      turns.output(textIn(item, 'call_id'), outputOf(item['output']));
      break;
    case 'reasoning':
      break;
    default:
      turns.unknown(item);
  }
}

/** Messages that Codex writes in the person's name: `<environment_context>`, `<user_instructions>` and the like. */
function isSurroundings(text: string): boolean {
  return /^\s*<(environment_context|user_instructions|turn_aborted|skill|permissions instructions)\b/.test(text);
}

function argumentsIn(item: TranscriptEntry): unknown {
  const text = textIn(item, 'arguments');
  return jsonIn(text) ?? { text };
}

/** A command that Codex records in words is shown as the line it ran. */
function asLine(args: unknown): unknown {
  const { command } = fieldsOf(args);
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return args;
  const [shell = '', flag = '', line] = command;
  const isLine = /(?:^|\/)(?:ba|z)?sh$/.test(shell) && /^-l?c$/.test(flag) && command.length === 3;
  return { ...(args as object), command: isLine ? line : command.join(' ') };
}

function outputOf(output: unknown): string {
  if (typeof output === 'string') return output;
  return JSON.stringify(output) ?? '';
}
