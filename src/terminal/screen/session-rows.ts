/** A session as a row of a list: what needs the user first, then failed, working and finished ones. */
import { printable } from '../../views/printable.ts';
import type { SessionHit } from '../../ports/rondo-client.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { oneLine } from '../../views/one-line.ts';
import { projectName } from '../../views/session-row.ts';
import { costText } from '../../wording/cost.ts';
import { ageText } from '../../wording/duration.ts';
import { cut } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { PickerRow } from './picker-rows.ts';

export type SessionRank = 0 | 1 | 2 | 3;

const groupNames = ['Needs you', 'Failed', 'Working', 'Finished'] as const;

/** Below these widths, rows drop a column. */
const detailFrom = 100;
const costFrom = 70;

export function sessionRankOf({ questions, state, ending, isInterrupted }: SessionHit): SessionRank {
  if (questions > 0) return 0;
  if (isInterrupted === true) return 3;
  if (state === 'running' || state === 'cancelling') return 2;
  return ending === 'failed' || ending === 'timed-out' ? 1 : 3;
}

interface SessionRowFacts {
  readonly rank: SessionRank;
  readonly branch: string | undefined;
  /** What needs the user, or what the session said last. */
  readonly words: string;
}

export function sessionPickerRow(
  entry: SessionHit,
  { rank, branch, words }: SessionRowFacts,
  look: Look,
): PickerRow {
  const { cwd, updatedAt, doing, problem, excerpt } = entry;
  const place = `${projectName(cwd)}${branch === undefined ? '' : `:${branch}`}`;
  const activity = doing === undefined ? undefined : `${doing.charAt(0).toUpperCase()}${doing.slice(1)}`;
  const said = entry.isInterrupted === true ? 'Interrupted. Opening it continues its turn.' : words;
  const known = { 0: words || activity, 1: problem, 2: activity, 3: said }[sessionRankOf(entry)];
  const detail = excerpt ?? known ?? '';
  return {
    glyph: sessionGlyph(entry, look),
    label: sessionTitle(entry),
    detail: look.width < detailFrom ? '' : oneLine(detail),
    columns: [
      { text: cut(place, Math.max(12, Math.floor(look.width * 0.28))) },
      ...(look.width < costFrom ? [] : [{ text: spentText(entry), isNumber: true as const }]),
    ],
    note: ageText(Math.max(0, look.now - updatedAt)),
    group: groupNames[rank],
  };
}

function sessionTitle({ title, session }: DirectoryEntry): string {
  return title === '' ? session : printable(oneLine(title));
}

function spentText({ cost, costIsKnown }: DirectoryEntry): string {
  return cost === 0 ? '' : costText({ cost, costIsKnown });
}

function sessionGlyph(entry: SessionHit, { paint, glyphs }: Pick<Look, 'paint' | 'glyphs'>): string {
  switch (sessionRankOf(entry)) {
    case 0:
      return paint.need(glyphs.need);
    case 1:
      return paint.fail(glyphs.failed);
    case 2:
      return paint.work(glyphs.working[0] ?? '');
    case 3:
      // The ending of an interrupted session is that of the turn before.
      if (entry.isInterrupted !== true && entry.ending === 'completed') return paint.done(glyphs.done);
      return paint.ink3(
        entry.isInterrupted !== true && entry.ending === 'cancelled' ? glyphs.stopped : glyphs.idle,
      );
  }
}
