/** What a row says beside its title: the open question, the problem, the activity, or the end of the last reply. */
import type { WireQuestion } from '../../../src/client/client.ts';
import type { SessionOutcome } from '../../../src/views/session-row.ts';
import { hasFailed, type SessionRow } from '../../../src/views/session-row.ts';
import { counted } from '../../../src/wording/counted.ts';
import { effectSentence, type SentencePart } from '../../../src/wording/effect-sentence.ts';
import { problemSummary } from '../../../src/wording/problem-summary.ts';
import { waitsForText } from '../../../src/views/waits-for.ts';
import { stateText } from '../../../src/wording/state.ts';
import type { Glyph } from '../look/glyph.ts';
import type { Directory } from './directory.ts';

interface RowText {
  readonly parts: readonly SentencePart[];
  readonly tone: 'need' | 'bad' | 'plain';
}

export function rowText(
  row: SessionRow,
  question: WireQuestion | undefined,
  outcome: SessionOutcome | undefined,
): RowText {
  switch (row.group) {
    case 'needs-you': {
      const wait = waitsForText(row);
      if (wait !== undefined) return plain(capitalized(wait), 'need');
      if (question !== undefined) return { parts: effectSentence(question.about), tone: 'need' };
      return plain(
        row.team?.waiting === undefined || row.team.waiting === 0 ? stateText('waiting') : 'A worker needs you',
        'need',
      );
    }
    case 'failed':
      return plain(failure(row), 'bad');
    case 'working':
      return plain(row.doing === undefined ? stateText('running') : capitalized(row.doing));
    case 'unread':
    case 'earlier':
      if (row.ending === 'cancelled') return plain('Stopped');
      if (hasFailed(row)) return plain(failure(row));
      return plain(
        outcome?.sentence ??
          (row.state === 'closed' ? stateText('closed') : row.turns === 0 ? 'No messages yet' : ''),
      );
  }
}

/** "1 of 3 workers" if some of them wait for the person. */
export function teamText({ active, waiting }: NonNullable<SessionRow['team']>): string {
  return waiting > 0 && active > 1 ? `${waiting} of ${active} workers` : counted(active, 'worker');
}

export function rowGlyph(row: SessionRow): Glyph {
  switch (row.group) {
    case 'needs-you':
      return 'need';
    case 'failed':
      return 'fail';
    case 'working':
      return 'work';
    case 'unread':
      return 'done';
    case 'earlier':
      if (hasFailed(row)) return 'fail';
      return row.state === 'closed' || row.ending === 'cancelled' ? 'stop' : 'idle';
  }
}

/** The oldest open question of the session or of a session that works for it. */
export function questionOf(
  session: string,
  questions: readonly WireQuestion[],
  directory: Directory,
): WireQuestion | undefined {
  return questions.find((question) => {
    let at: string | undefined = question.session;
    for (let depth = 0; at !== undefined && depth < 10; depth += 1) {
      if (at === session) return true;
      at = directory.get(at)?.parent;
    }
    return false;
  });
}

function plain(text: string, tone: RowText['tone'] = 'plain'): RowText {
  return { parts: [{ text }], tone };
}

function failure({ problem }: SessionRow): string {
  return problem === undefined ? 'Failed' : problemSummary(problem);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
