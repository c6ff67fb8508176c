/**
 * Transcripts of Gemini CLI (recorded with 0.61.0): `~/.gemini/tmp/PROJECT/chats/session-….jsonl`. A line with a
 * known id replaces the earlier one. Older versions wrote one JSON document with `messages`.
 */
import { isJsonObject, jsonIn } from '../../kernel/json-object.ts';
import {
  BROKEN,
  collectTurns,
  entriesOf,
  entryIn,
  listIn,
  textIn,
  timeIn,
  type TranscriptEntry,
  type OtherTranscript,
} from './transcript.ts';

export function readGeminiTranscript(text: string, id: string): OtherTranscript {
  const turns = collectTurns();
  for (const message of messagesIn(text)) {
    switch (message['type']) {
      case 'user': {
        const prompt = textOf(message['content']);
        // The CLI records tool results, and its own notes about the folder, under the person's role.
        if (prompt !== '' && !prompt.startsWith('<session_context>')) turns.prompt(prompt, timeIn(message));
        break;
      }
      case 'gemini':
        turns.text(textOf(message['content']));
        for (const call of listIn(message, 'toolCalls')) {
          turns.call(textIn(call, 'id'), textIn(call, 'name'), call['args']);
          turns.output(textIn(call, 'id'), outputOf(call));
        }
        break;
      case 'info':
      case 'error':
      case 'warning':
        break;
      default:
        turns.unknown(message);
    }
  }
  return turns.done({ id });
}

function messagesIn(text: string): readonly TranscriptEntry[] {
  const byId = new Map<string, TranscriptEntry>();
  const add = (message: TranscriptEntry) => void byId.set(textIn(message, 'id'), message);
  for (const entry of documentOf(text) ?? entriesOf(text)) {
    for (const message of listIn(entryIn(entry, '$set'), 'messages')) add(message);
    for (const message of listIn(entry, 'messages')) add(message);
    if (typeof entry['id'] === 'string' && typeof entry['type'] === 'string') add(entry);
    else if (entry['type'] === BROKEN) add({ ...entry, id: `broken ${byId.size}` });
  }
  return [...byId.values()];
}

function documentOf(text: string): readonly TranscriptEntry[] | undefined {
  const value = jsonIn(text);
  return isJsonObject(value) ? [value] : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.map((part) => textIn(part, 'text')).join('');
}

function outputOf(call: TranscriptEntry): string {
  const outputs = listIn(call, 'result').map((part) => entryIn(entryIn(part, 'functionResponse'), 'response'));
  return outputs.map((response) => textIn(response, 'output') || JSON.stringify(response)).join('\n');
}
