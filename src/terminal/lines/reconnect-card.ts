/** Shown while the server can't be reached. Nothing typed is lost, and nothing on the screen claims to be current. */
import { shortClock } from '../../wording/clock.ts';
import { counted } from '../../wording/counted.ts';
import { elapsedText } from '../../wording/duration.ts';
import { spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

interface LostConnection {
  readonly server: string;
  readonly since: number;
  /** Of a server on this machine. */
  readonly process?: 'gone' | 'alive' | undefined;
  readonly unsent: number;
  /** Undefined while it tries. */
  readonly nextTryAt: number | undefined;
  readonly now: number;
}

/** A short break isn't worth a card. */
const quietMs = 1000;

export function reconnectCard(lost: LostConnection, look: Look): readonly string[] {
  const { server, since, unsent, nextTryAt, now } = lost;
  const { paint, glyphs, width } = look;
  if (now - since < quietMs) return [];
  const waiting = unsent === 0 ? '' : ` ${counted(unsent, 'prompt')} will be sent on reconnect.`;
  const next =
    nextTryAt === undefined || nextTryAt <= now ? 'trying now' : `next try in ${elapsedText(nextTryAt - now)}`;
  const head = spread(
    paint.warn(paint.strong(`Reconnecting to ${server}`)),
    paint.ink3(`${elapsedText(now - since)} ${glyphs.dot} ${next}`),
    width - 4,
  );
  const text = `Showing saved state from ${shortClock(since)}. ${stateOf(lost)}${waiting}`;
  const choice = `${paint.strong('/reconnect')}  ${paint.ink2('Retry now')}`;
  return [head, ...wrapped(paint.ink2(text), width - 4), choice].map(
    (line) => `${paint.warn(glyphs.bar)} ${line}`,
  );
}

/** A server on this machine that doesn't answer has usually stopped, and its sessions with it. */
function stateOf({ server, process }: LostConnection): string {
  if (server !== 'local') return 'The session keeps running there.';
  if (process === 'alive') return "Its process still runs, but doesn't answer.";
  const stopped =
    process === 'gone' ? 'The server stopped: `rondo serve`' : 'If the server stopped, `rondo serve`';
  return `${stopped} starts it again. To continue without it, leave and run \`rondo -c --alone\`.`;
}
