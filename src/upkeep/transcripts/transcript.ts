/** A conversation that another agent recorded, in the terms that all of them share. */
import { fieldsOf, isJsonObject, jsonIn } from '../../kernel/json-object.ts';
import { jsonProblem } from '../../kernel/json-problem.ts';

export interface OtherTranscript {
  /** The other tool's id of it. */
  readonly id: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly turns: readonly OtherTurn[];
  /** Entries that weren't understood. Their text is kept in the turn they belong to. */
  readonly unknown: number;
}

export interface FoundTranscript {
  /** The file, or the database and the session in it. */
  readonly place: string;
  /** Rejects with the system's error if the file can't be read. */
  read(): Promise<OtherTranscript>;
}

interface OtherTurn {
  readonly at: number;
  readonly prompt: string;
  readonly parts: readonly OtherPart[];
}

export type OtherPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly tool: string; readonly args: unknown; readonly output: string };

export type TranscriptEntry = Readonly<Record<string, unknown>>;

/** Collects turns in the order in which a transcript tells them. */
export function collectTurns(): {
  prompt(text: string, at: number): void;
  text(text: string): void;
  call(id: string, tool: string, args: unknown): void;
  output(id: string, text: string): void;
  unknown(entry: unknown): void;
  done(about: Omit<OtherTranscript, 'turns' | 'unknown'>): OtherTranscript;
} {
  type Call = { type: 'call'; tool: string; args: unknown; output: string };
  const turns: { at: number; prompt: string; parts: ({ type: 'text'; text: string } | Call)[] }[] = [];
  const calls = new Map<string, Call>();
  let unknown = 0;
  const add = (part: { type: 'text'; text: string } | Call) => {
    // A transcript may begin in the middle, after the tool shortened it.
    if (turns.length === 0) turns.push({ at: 0, prompt: '', parts: [] });
    turns.at(-1)?.parts.push(part);
  };
  return {
    prompt: (text, at) => void turns.push({ at, prompt: text, parts: [] }),
    text: (text) => void (text.trim() === '' || add({ type: 'text', text })),
    call(id, tool, args) {
      const call: Call = { type: 'call', tool, args, output: '[No result was recorded.]' };
      calls.set(id, call);
      add(call);
    },
    output(id, text) {
      const call = calls.get(id);
      if (call === undefined) add({ type: 'text', text });
      else call.output = text;
    },
    unknown(entry) {
      unknown += 1;
      add({ type: 'text', text: `[not understood on import] ${JSON.stringify(entry).slice(0, 2000)}` });
    },
    done: (about) => ({ ...about, turns, unknown }),
  };
}

/** The objects of JSON Lines. The last line may be torn. Any other line that is no usable object is `broken`. */
export function entriesOf(text: string): readonly TranscriptEntry[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const value = jsonIn(line);
    // What is nested too deep can't be written again.
    if (isJsonObject(value) && jsonProblem(value) === undefined) return [value];
    if (value === undefined && index === lines.length - 1) return [];
    return [{ type: BROKEN, line: line.slice(0, 2000) }];
  });
}

export const BROKEN = 'broken-line';

export function entryIn(entry: TranscriptEntry, name: string): TranscriptEntry {
  return fieldsOf(entry[name]);
}

export function listIn(entry: TranscriptEntry, name: string): readonly TranscriptEntry[] {
  const value = entry[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textIn(entry: TranscriptEntry, name: string): string {
  const value = entry[name];
  return typeof value === 'string' ? value : '';
}

/** The year 3000: a later time is no time of a conversation. */
const LATEST = 32_503_680_000_000;

export function timeIn(entry: TranscriptEntry, name = 'timestamp'): number {
  const value = entry[name];
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : 0;
  return time > 0 && time < LATEST ? Math.floor(time) : 0;
}
