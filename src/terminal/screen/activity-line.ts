/** Shows the current activity and how long it has taken. */
import { durationText } from '../../wording/duration.ts';
import type { Status } from '../../views/status.ts';
import { cut } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 80;

/** Empty if no turn runs, or if it only waits for a person: the question shows that itself. */
export function activityLine(
  { lifecycle, doing, turn }: Status,
  said: string,
  { now, paint, width }: Pick<Look, 'now' | 'paint' | 'width'>,
): string | undefined {
  if (turn === undefined || lifecycle === 'waiting') return undefined;
  const first = doing.find(({ question }) => question === undefined);
  const others = doing.length > 1 ? ` (and ${doing.length - 1} more)` : '';
  const words = lifecycle === 'cancelling' ? 'cancelling' : `${first?.words ?? 'working'}${others}`;
  const since = first?.since ?? turn.startedAt;
  const until = first?.until === undefined ? '' : `, resumes in ${durationText(Math.max(0, first.until - now))}`;
  const frame = frames[Math.floor(now / frameMs) % frames.length] ?? '';
  const keys = lifecycle === 'cancelling' ? 'ctrl+c again leaves' : 'ctrl+c cancels';
  const tail = `${durationText(Math.max(0, now - since))}${until}${said === '' ? '' : ` · ${said}`} · ${keys}`;
  return cut(`${paint.accent(frame)} ${words} ${paint.quiet(tail)}`, width);
}
