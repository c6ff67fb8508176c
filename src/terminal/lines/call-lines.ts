/** A tool call as one line: glyph, verb, object, result and time. A failure stays open, the rest opens on demand. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { effectIdOf, type SessionId } from '../../kernel/ids.ts';
import { isBlobRef } from '../../kernel/content.ts';
import {
  callWords,
  commandResult,
  isMissingFile,
  mergedWords,
  missingWords,
  refusedVerb,
  type CallWords,
} from '../../wording/call-words.ts';
import { counted } from '../../wording/counted.ts';
import { shortClock } from '../../wording/clock.ts';
import { durationText } from '../../wording/duration.ts';
import { nameFor } from '../../wording/viewer.ts';
import { mainArgument } from '../../views/main-argument.ts';
import { oneLine } from '../../views/one-line.ts';
import { printable } from '../../views/printable.ts';
import { terminalOutput } from '../../views/terminal-output.ts';
import type { CallItem } from '../../views/transcript-item.ts';
import { changedLines, changeLine, patchIn } from './change-lines.ts';
import { cut, shortPath, spread, wrapped } from './fit.ts';
import { innerWidth, type Look } from './look.ts';

/** Lines of output below a running and a failed call, and in an open block. */
const runningLines = 3;
const failedLines = 2;
/** Rows of one long line of a failure. */
const mostRows = 3;
export const openLines = 40;
const indent = '    ';

export function callLines(item: CallItem, session: SessionId, look: Look): readonly string[] {
  const words = callWords(item, look.textOf(item.args));
  const { glyph, verb, result, isFailed } = headOf(item, words, look);
  const head = headLines({ glyph, verb, words, result, time: timeOf(item, look) }, look);
  const body = look.isOpen(item.id)
    ? [...detailsOf(item, look), ...openOutput(item, session, look)]
    : isMissingFile(item)
      ? []
      : closedOutput(item, session, isFailed, look);
  return [...head, ...body.map((line) => cut(`${indent}${line}`, innerWidth(look)))];
}

/** Several successful calls as one line. */
export function mergedLine(items: readonly CallItem[], look: Look): string {
  const { paint, glyphs } = look;
  const words = items.map((item) => callWords(item, look.textOf(item.args)));
  const [added, removed] = [
    words.reduce((sum, one) => sum + one.added, 0),
    words.reduce((sum, one) => sum + one.removed, 0),
  ];
  const tests = items.map(({ state }) =>
    state.type === 'succeeded' ? commandResult(look.textOf(state.output), state.data).text : '',
  );
  const ms = items.reduce((sum, { state }) => sum + (('durationMs' in state ? state.durationMs : 0) ?? 0), 0);
  const counts = countsText({ added, removed }, look);
  const result = [counts, tests.findLast((text) => text !== '') ?? ''].filter((part) => part !== '').join('  ');
  const left = `${paint.done(glyphs.done)} ${mergedWords(items.map(({ tool }) => tool))}${result === '' ? '' : `   ${result}`}`;
  return spread(left, paint.ink3(durationText(ms)), innerWidth(look));
}

export function isMergeable({ state }: CallItem): boolean {
  return state.type === 'succeeded' && !commandResult('', state.data).isFailed;
}

interface Head {
  readonly glyph: string;
  readonly verb: string;
  readonly words: CallWords;
  readonly result: string;
  readonly time: string;
}

function headLines({ glyph, verb, words, result, time }: Head, look: Look): readonly string[] {
  const { paint } = look;
  const width = innerWidth(look);
  const counts = countsText(words, look);
  const end = [counts, result].filter((part) => part !== '').join('  ');
  const shown = end === '' ? '' : `   ${end}`;
  const room = width - 4 - visibleWidth(verb) - visibleWidth(shown) - visibleWidth(time) - 2;
  const isPath =
    words.kind === 'read' || words.kind === 'edit' || words.kind === 'list' || words.kind === 'delete';
  const shortened = isPath ? shortPath(words.object, Math.max(12, room)) : words.object;
  const object = isPath && look.link !== undefined ? look.link(shortened, words.object) : shortened;
  const left = `${glyph} ${verb}${object === '' ? '' : ` ${object}`}`;
  if (visibleWidth(left) + visibleWidth(shown) + visibleWidth(time) + 1 <= width)
    return [spread(`${left}${shown}`, paint.ink3(time), width)];
  // A command that doesn't fit wraps. It is never cut.
  const [first = '', ...rest] = wrapped(`${left}${shown}`, width - visibleWidth(time) - 2);
  return [spread(first, paint.ink3(time), width), ...rest.flatMap((line) => wrapped(line, width, indent))];
}

export function countsText(
  { added, removed }: { readonly added: number; readonly removed: number },
  { paint, glyphs }: Pick<Look, 'paint' | 'glyphs'>,
): string {
  return [
    ...(added > 0 ? [paint.done(`+${added}`)] : []),
    ...(removed > 0 ? [paint.fail(`${glyphs.minus}${removed}`)] : []),
  ].join(' ');
}

function headOf(
  { state, tool }: CallItem,
  { kind, done, doing, failed }: CallWords,
  look: Look,
): { readonly glyph: string; readonly verb: string; readonly result: string; readonly isFailed: boolean } {
  const { paint, glyphs, textOf } = look;
  switch (state.type) {
    case 'planned':
      return { glyph: paint.ink3(glyphs.idle), verb: paint.ink3(doing), result: '', isFailed: false };
    case 'asking':
      return {
        glyph: paint.need(glyphs.need),
        verb: kind === 'run' ? 'Needs you:' : `Needs you: ${tool}`,
        result: '',
        isFailed: false,
      };
    case 'running':
      return { glyph: workingGlyph(look), verb: doing, result: lastSeenText(look), isFailed: false };
    case 'succeeded': {
      const { text, isFailed } = commandResult(textOf(state.output), state.data);
      return isFailed
        ? { glyph: paint.fail(glyphs.failed), verb: done, result: paint.fail(text), isFailed }
        : { glyph: paint.done(glyphs.done), verb: done, result: paint.ink2(text), isFailed };
    }
    case 'failed':
      if (isMissingFile({ tool, state }))
        return {
          glyph: paint.ink3(glyphs.idle),
          verb: missingWords.verb,
          result: paint.ink3(missingWords.result),
          isFailed: false,
        };
      return {
        glyph: paint.fail(glyphs.failed),
        verb: failed,
        result: paint.fail(state.code.replaceAll('-', ' ')),
        isFailed: true,
      };
    case 'refused':
      return { glyph: paint.fail(glyphs.failed), verb: refusedVerb(state.code), result: '', isFailed: true };
    case 'cancelled':
      return { glyph: paint.ink3(glyphs.stopped), verb: done, result: paint.ink3('stopped'), isFailed: false };
  }
}

/** Four a second: the only thing that moves. It stops and turns grey while the server is lost. */
export function workingGlyph({
  now,
  lastSeen,
  paint,
  glyphs,
}: Pick<Look, 'now' | 'lastSeen' | 'paint' | 'glyphs'>): string {
  const frame = glyphs.working[Math.floor(now / 250) % glyphs.working.length] ?? '';
  return lastSeen === undefined ? paint.work(frame) : paint.ink3(frame);
}

export function lastSeenText({ lastSeen, paint }: Pick<Look, 'lastSeen' | 'paint'>): string {
  return lastSeen === undefined ? '' : paint.ink3(`last seen ${shortClock(lastSeen)}`);
}

function timeOf({ state, run }: CallItem, { now }: Look): string {
  if (state.type === 'running') return run === undefined ? '' : durationText(now - run.at);
  const ms = 'durationMs' in state ? state.durationMs : undefined;
  return ms === undefined ? '' : durationText(ms);
}

/** The full request, the rule that matched, and who allowed it. */
function detailsOf(item: CallItem, look: Look): readonly string[] {
  const { paint } = look;
  const args = look.textOf(item.args);
  const { facts, rule, approvedBy } = item;
  const changes = changedLines(item.tool, args);
  const shown = changes.length > 0 ? '' : printable(prettyArguments(args));
  const width = innerWidth(look) - indent.length;
  return [
    ...(shown === '' ? [] : wrapped(shown, width).map((line) => paint.ink3(line))),
    ...changes.map((change) => changeLine(change, look)),
    ...(facts.segments ?? []).map(({ text }, index) => paint.ink3(`${index + 1}. ${oneLine(text)}`)),
    ...(rule === undefined ? [] : [paint.ink3(`Rule: ${rule}`)]),
    ...(approvedBy === undefined ? [] : [paint.ink3(`Allowed by ${nameFor(look.self, approvedBy.name)}`)]),
  ];
}

function openOutput(item: CallItem, session: SessionId, look: Look): readonly string[] {
  const { state } = item;
  if (state.type === 'running') return streamedLines(item, session, look.openLines ?? openLines, look);
  if (state.type === 'succeeded') {
    const output = look.textOf(state.output);
    const patch = patchIn(output);
    const lines = patch?.map((change) => changeLine(change, look)) ?? plainLines(output).map(look.paint.ink2);
    return limited(
      lines,
      look.openLines ?? openLines,
      look,
      isBlobRef(state.output) && output.length < state.output.length,
    );
  }
  return endedLines(item, look.openLines ?? openLines, look);
}

function closedOutput(item: CallItem, session: SessionId, isFailed: boolean, look: Look): readonly string[] {
  const { state } = item;
  if (state.type === 'running') return streamedLines(item, session, runningLines, look);
  if (state.type === 'cancelled') return endedLines(item, look.closedLines ?? runningLines, look);
  if (state.type !== 'succeeded') return endedLines(item, failedLines, look);
  const output = look.textOf(state.output);
  if (look.closedLines !== undefined) {
    const lines = plainLines(output);
    const isCut = isBlobRef(state.output) && output.length < state.output.length;
    const { truncated = false } = (state.data ?? {}) as { readonly truncated?: boolean };
    const part = truncated ? 'Part of it added to context' : 'Added to context';
    const added = isCut || lines.length === 0 ? [] : [`${part}, ${counted(lines.length, 'line')}`];
    return [
      ...limited(lines.map(look.paint.ink2), look.closedLines, look, isCut),
      ...added.map((text) => look.paint.ink3(text)),
    ];
  }
  return isFailed ? problemLines(errorLines(output), look) : [];
}

/** A failure's error, or its first lines. They wrap: the end of an error's line often names its cause. */
function problemLines(lines: readonly string[], look: Look): readonly string[] {
  const width = innerWidth(look) - indent.length;
  const most = isError(lines[0] ?? '') ? 1 : failedLines;
  const shown = lines.slice(0, most).flatMap((line) => wrapped(line, width).slice(0, mostRows));
  const rest = limited(lines, most, look).slice(most);
  return [...shown.map(look.paint.ink2), ...rest];
}

function endedLines({ state }: CallItem, most: number, look: Look): readonly string[] {
  switch (state.type) {
    case 'failed': {
      const lines = plainLines(look.textOf(state.message));
      return most === failedLines ? problemLines(lines, look) : limited(lines.map(look.paint.ink2), most, look);
    }
    case 'cancelled':
      return lastLines(state.output === undefined ? [] : plainLines(look.textOf(state.output)), most, look);
    case 'refused':
      return wrapped(printable(state.reason), innerWidth(look) - indent.length).map(look.paint.ink2);
    case 'running':
    case 'succeeded':
    case 'planned':
    case 'asking':
      return [];
  }
}

function streamedLines({ run }: CallItem, session: SessionId, most: number, look: Look): readonly string[] {
  const output = run === undefined ? '' : (look.streamOf(effectIdOf(session, run.seq))?.output ?? '');
  return plainLines(output.slice(-most * 400))
    .slice(-most)
    .map((line) => look.paint.ink2(line));
}

/** Starts with the first line that looks like an error, if there is one. The heading has the exit code. */
function errorLines(output: string): readonly string[] {
  const lines = plainLines(output).filter((line) => !/^\[Exit code \d+\]$/.test(line));
  const first = lines.findIndex(isError);
  return first <= 0 ? lines : [...lines.slice(first), ...lines.slice(0, first)];
}

function isError(line: string): boolean {
  return /\b(error|fail|failed|fatal|panic|exception)\b/i.test(line);
}

function limited(lines: readonly string[], most: number, { paint }: Look, isCut = false): readonly string[] {
  if (lines.length <= most && !isCut) return lines;
  const left = lines.length - most;
  const rest = left > 0 ? counted(left, 'more line') : 'more in the session';
  return [...lines.slice(0, most), paint.ink3(`${rest}   Ctrl+O`)];
}

/** What a stopped command wrote last stays in sight, as while it ran. */
function lastLines(lines: readonly string[], most: number, { paint }: Look): readonly string[] {
  const left = lines.length - most;
  const shown = lines.slice(-most).map(paint.ink2);
  return left <= 0 ? shown : [paint.ink3(`${counted(left, 'earlier line')}   Ctrl+O`), ...shown];
}

function plainLines(text: string): readonly string[] {
  const shown = printable(terminalOutput(text)).replaceAll('\t', '    ').trimEnd();
  return shown === '' ? [] : shown.split('\n').filter((line) => !/^<\/?stderr>$/.test(line));
}

function prettyArguments(args: string): string {
  const main = mainArgument(args);
  if (main.includes('\n')) return main;
  try {
    const value = JSON.parse(args) as unknown;
    const isPlain = typeof value === 'object' && value !== null && Object.keys(value).length < 2;
    return isPlain ? '' : JSON.stringify(value, undefined, 2);
  } catch {
    return args;
  }
}
