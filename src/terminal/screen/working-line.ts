/** What runs, for how long, at which step: the only line that moves. */
import { usedTokensText } from '../../wording/cost.ts';
import { elapsedText } from '../../wording/duration.ts';
import type { Status } from '../../views/status.ts';
import { lastSeenText, workingGlyph } from '../lines/call-lines.ts';
import { cut } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';

type WorkingLook = Pick<Look, 'now' | 'lastSeen' | 'paint' | 'width' | 'glyphs'>;

/** Undefined if no turn runs, or if it only waits for a person: the card shows that itself. */
export function workingLine(status: Status, note: string, look: WorkingLook): string | undefined {
  const { lifecycle, doing, turn, limits } = status;
  const { now, paint, width, glyphs } = look;
  if (turn === undefined || lifecycle === 'waiting') return undefined;
  const dot = ` ${glyphs.dot} `;
  const waiting = doing.find(({ until }) => until !== undefined)?.until;
  const isStopping = lifecycle === 'cancelling';
  const steps =
    turn.steps === 0 ? '' : `step ${turn.steps}${limits.steps === undefined ? '' : ` of ${limits.steps}`}`;
  const tail = [
    elapsedText(now - turn.startedAt),
    ...(steps === '' ? [] : [steps]),
    ...(width < wideFrom || isUnused(status.usage) ? [] : [usedTokensText(status.usage)]),
    ...(waiting === undefined ? [] : [`resumes in ${elapsedText(Math.max(0, waiting - now))}`]),
    ...(note === '' ? [] : [note]),
  ].join(dot);
  const glyph = isStopping ? paint.ink3(glyphs.stopped) : workingGlyph(look);
  const seen = lastSeenText(look);
  const words = [paint.ink3(tail), ...(seen === '' ? [] : [seen])].join(paint.ink3(dot));
  return cut(`${glyph} ${isStopping ? 'Stopping…' : 'Working'}  ${words}`, width - 2);
}

/** Before the first reply of a session, a count says nothing. */
function isUnused({ inputTokens, outputTokens, unreportedTurns = 0 }: Status['usage']): boolean {
  return inputTokens + outputTokens + unreportedTurns === 0;
}

const wideFrom = 80;
