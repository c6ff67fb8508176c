/**
 * Facts that a compaction keeps verbatim, extracted by rule from the messages it drops, so that no model can lose
 * them. Each list is bounded, and the newest entries win.
 */
import type { BlobRef } from '../kernel/content.ts';
import type { KeptFacts } from '../kernel/context.ts';
import { fieldsOf, jsonIn } from '../kernel/json-object.ts';
import type { Message } from '../kernel/message.ts';
import { textOf } from './text-of.ts';

type Read = (ref: BlobRef) => Promise<string>;

const mostLines = 40;
const mostFiles = 200;
const longestLine = 300;
const longestText = 20_000;

export async function keptFacts(
  messages: readonly Message[],
  before: KeptFacts | undefined,
  read: Read,
): Promise<KeptFacts> {
  const constraints = new Set(before?.constraints);
  const open = new Set(before?.open);
  const files = new Set(before?.files);
  const succeeded = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' && message.outcome === 'success' ? [message.call] : [],
    ),
  );
  for (const message of messages) {
    if (message.role === 'user') {
      const text = (await textOf(message.text, read)).slice(0, longestText);
      for (const sentence of sentencesOf(text)) if (constraining.test(sentence)) addLast(constraints, sentence);
      tick(open, text);
    } else if (message.role === 'assistant') {
      tick(open, (await textOf(message.text, read)).slice(0, longestText));
      for (const { id, tool, args } of message.calls) {
        if (!succeeded.has(id)) continue;
        const given = fieldsOf(jsonIn(await textOf(args, read)));
        if (tool === 'notes') note(open, given);
        if (changing.test(tool)) for (const path of pathsIn(given)) addLast(files, path);
      }
    }
  }
  return {
    constraints: [...constraints].slice(-mostLines),
    open: [...open].slice(-mostLines),
    files: [...files].slice(-mostFiles),
  };
}

/** Words that people use to state constraints. */
const constraining =
  /\b(?:must|never|always|don['’]?t|do not|only|should(?:n['’]t| not)?|make sure|ensure|avoid|without|remember|important|prefer|instead of|no longer|at (?:most|least))\b/i;

const changing = /^(?:write|edit|delete|move|rename|create|patch|apply)/;

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim().slice(0, longestLine))
    .filter((sentence) => sentence !== '');
}

/** Checklists: an empty box is open, a checked one is done. */
function tick(open: Set<string>, text: string): void {
  for (const [, box = '', words = ''] of text.matchAll(/^\s*[-*] \[([ xX])\] +(.+)$/gm)) {
    const line = words.trim().slice(0, longestLine);
    if (box === ' ') addLast(open, line);
    else open.delete(line);
  }
}

function note(open: Set<string>, { action, text }: Readonly<Record<string, unknown>>): void {
  if (action === 'clear') open.clear();
  if (action === 'add' && typeof text === 'string') addLast(open, text.trim().slice(0, longestLine));
}

function pathsIn(given: Readonly<Record<string, unknown>>): readonly string[] {
  return ['path', 'file', 'to'].flatMap((name) => (typeof given[name] === 'string' ? [given[name]] : []));
}

function addLast(lines: Set<string>, line: string): void {
  lines.delete(line);
  lines.add(line);
}
