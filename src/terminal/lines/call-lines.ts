/** A tool call as a compact, expandable block. */
import { effectIdOf, type SessionId } from '../../kernel/ids.ts';
import { isBlobRef } from '../../kernel/content.ts';
import { durationText } from '../../wording/duration.ts';
import { callPart } from '../../views/call-summary.ts';
import { mainArgument } from '../../views/main-argument.ts';
import { oneLine } from '../../views/one-line.ts';
import { printable } from '../../views/printable.ts';
import type { CallItem, CallState } from '../../views/transcript-item.ts';
import { changeCounts, changedLines, changeLine, patchIn } from './change-lines.ts';
import { cut, wrapped } from './fit.ts';
import type { Look } from './look.ts';

/** Lines of output in a block: collapsed, and expanded. */
const fewLines = 3;
const manyLines = 200;

export function callLines(item: CallItem, session: SessionId, look: Look): readonly string[] {
  const { paint, width } = look;
  const args = look.textOf(item.args);
  const isOpen = look.isOpen(item.id);
  const changes = changedLines(item.tool, args);
  const { mark, words } = markOf(item.state, look);
  const about = callPart(args, item.facts);
  const counts = changeCounts(changes, look);
  const head = [mark, paint.tool(item.tool), about, counts, paint.quiet(words + tookOf(item, look))]
    .filter((part) => part !== '')
    .join(' ');
  const body = [
    ...(isOpen ? detailsOf(item, args, look) : []),
    ...limited(
      changes.map((change) => changeLine(change, look)),
      isOpen ? manyLines : 8,
      look,
    ),
    ...outputOf(item, session, look),
  ];
  return [cut(head, width), ...body.map((line) => cut(`  ${line}`, width))];
}

function markOf(state: CallState, { paint }: Look): { readonly mark: string; readonly words: string } {
  switch (state.type) {
    case 'planned':
      return { mark: paint.quiet('·'), words: 'planned' };
    case 'asking':
      return { mark: paint.warning('?'), words: 'needs approval' };
    case 'running':
      return { mark: paint.accent('◐'), words: 'running' };
    case 'succeeded':
      return { mark: paint.good('✓'), words: '' };
    case 'failed':
      return { mark: paint.error('✗'), words: state.code };
    case 'refused':
      return { mark: paint.error('✗'), words: 'refused' };
    case 'cancelled':
      return { mark: paint.warning('✗'), words: 'cancelled' };
  }
}

function tookOf({ state, run }: CallItem, { now }: Look): string {
  const ms =
    state.type === 'running' && run !== undefined ? now - run.at : 'durationMs' in state ? state.durationMs : 0;
  return ms === undefined || ms < 1000 ? '' : ` ${durationText(ms)}`;
}

/** The full request, the rule that matched, and who allowed it. */
function detailsOf(item: CallItem, args: string, look: Look): readonly string[] {
  const { paint, width } = look;
  const { facts, rule, approvedBy } = item;
  const shown = changedLines(item.tool, args).length > 0 ? '' : printable(prettyArguments(args));
  return [
    ...(shown === '' ? [] : wrapped(shown, width - 2).map((line) => paint.quiet(line))),
    ...(facts.segments ?? []).map(({ text }, index) => paint.quiet(`${index + 1}. ${oneLine(text)}`)),
    ...(rule === undefined ? [] : [paint.quiet(`rule: ${rule}`)]),
    ...(approvedBy === undefined ? [] : [paint.quiet(`allowed by ${approvedBy.name}`)]),
  ];
}

function outputOf(item: CallItem, session: SessionId, look: Look): readonly string[] {
  const { state, run } = item;
  const most = look.isOpen(item.id) ? manyLines : (look.closedLines ?? fewLines);
  switch (state.type) {
    case 'running': {
      const output = run === undefined ? '' : (look.streamOf(effectIdOf(session, run.seq))?.output ?? '');
      const lines = plainLines(output).slice(-most);
      return lines.map((line) => look.paint.quiet(line));
    }
    case 'succeeded': {
      const output = look.textOf(state.output);
      const isRead = changedLines(item.tool, look.textOf(item.args)).length > 0;
      const patch = patchIn(output);
      const lines = patch === undefined ? plainLines(output) : patch.map((change) => changeLine(change, look));
      const hidden =
        isBlobRef(state.output) && output.length < state.output.length ? ' (more in the session)' : '';
      if (isRead && !look.isOpen(item.id)) return [];
      return limited(
        patch === undefined ? lines.map((line) => look.paint.quiet(line)) : lines,
        most,
        look,
        hidden,
      );
    }
    case 'failed':
      return limited(plainLines(look.textOf(state.message)).map(look.paint.error), most, look);
    case 'refused':
      return wrapped(printable(state.reason), look.width - 2).map(look.paint.error);
    case 'cancelled':
    case 'planned':
    case 'asking':
      return [];
  }
}

function limited(lines: readonly string[], most: number, { paint }: Look, hidden = ''): readonly string[] {
  if (lines.length <= most && hidden === '') return lines;
  const left = lines.length - most;
  const rest = left > 0 ? `… ${left} more line${left === 1 ? '' : 's'}${hidden}` : `…${hidden}`;
  const how = most === manyLines ? '' : ' · ctrl+o opens';
  return [...lines.slice(0, most), paint.quiet(`${rest}${how}`)];
}

function plainLines(text: string): readonly string[] {
  const shown = printable(text).replaceAll('\t', '    ').trimEnd();
  return shown === '' ? [] : shown.split('\n');
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
