/** Shown while the server can't be reached. Nothing typed is lost, and nothing on the screen claims to be current. */
import { shortClock } from '../../wording/clock.ts';
import { counted } from '../../wording/counted.ts';
import { elapsedText } from '../../wording/duration.ts';
import { spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface LostConnection {
  readonly server: string;
  readonly since: number;
  readonly unsent: number;
}

/** A short break isn't worth a card. */
const quietMs = 1000;

export function reconnectCard({ server, since, unsent }: LostConnection, look: Look): readonly string[] {
  const { paint, glyphs, now, width } = look;
  if (now - since < quietMs) return [];
  const waiting = unsent === 0 ? '' : ` ${counted(unsent, 'prompt')} will be sent on reconnect.`;
  const head = spread(
    paint.warn(paint.strong(`Reconnecting to ${server}`)),
    paint.ink3(elapsedText(now - since)),
    width - 4,
  );
  const text = `Showing saved state from ${shortClock(since)}. The session keeps running there.${waiting}`;
  return [head, ...wrapped(paint.ink2(text), width - 4)].map((line) => `${paint.warn(glyphs.bar)} ${line}`);
}
