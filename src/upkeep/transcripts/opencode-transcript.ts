/** Transcripts of OpenCode (recorded with 1.18.34): rows of `session`, `message` and `part` in its database. */
import { fieldsOf, jsonIn } from '../../kernel/json-object.ts';
import {
  collectTurns,
  entryIn,
  textIn,
  timeIn,
  type TranscriptEntry,
  type OtherTranscript,
} from './transcript.ts';

export interface OpencodeRows {
  readonly session: { readonly id: string; readonly title: string; readonly directory: string };
  /** By creation, oldest first. `data` is JSON. */
  readonly messages: readonly { readonly id: string; readonly data: string }[];
  readonly parts: readonly { readonly message: string; readonly data: string }[];
}

export function readOpencodeTranscript({ session, messages, parts }: OpencodeRows): OtherTranscript {
  const turns = collectTurns();
  for (const message of messages) {
    const about = fieldsOf(jsonIn(message.data));
    const own = parts.filter((part) => part.message === message.id).map(({ data }) => fieldsOf(jsonIn(data)));
    if (about['role'] === 'user') {
      const text = own.map((part) => (part['type'] === 'text' ? textIn(part, 'text') : '')).join('');
      turns.prompt(text, timeIn(entryIn(about, 'time'), 'created'));
    } else for (const part of own) readPart(part, turns);
  }
  return turns.done({ id: session.id, title: session.title, cwd: session.directory });
}

function readPart(part: TranscriptEntry, turns: ReturnType<typeof collectTurns>): void {
  switch (part['type']) {
    case 'text':
      turns.text(textIn(part, 'text'));
      break;
    case 'tool': {
      const state = entryIn(part, 'state');
      turns.call(textIn(part, 'callID'), textIn(part, 'tool'), state['input']);
      turns.output(textIn(part, 'callID'), textIn(state, 'output') || textIn(state, 'error'));
      break;
    }
    case 'step-start':
    case 'step-finish':
    case 'reasoning':
    case 'snapshot':
    case 'patch':
      break;
    default:
      turns.unknown(part);
  }
}
