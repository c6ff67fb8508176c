/** Shown while the provider fails and the turn waits to try again: one card that counts. */
import type { ProviderTrouble } from '../../views/provider-trouble.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { shortClock } from '../../wording/clock.ts';
import { counted } from '../../wording/counted.ts';
import { elapsedText } from '../../wording/duration.ts';
import { failureWords } from '../../wording/failure.ts';
import { spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface ProviderFacts {
  readonly trouble: ProviderTrouble;
  readonly model: string;
  /** Models to switch to, best first. */
  readonly others: readonly string[];
  readonly queued: number;
  /** Undefined without a limit. */
  readonly mostAttempts: number | undefined;
}

export function providerCard(
  { trouble, others, queued, mostAttempts }: ProviderFacts,
  look: Look,
): readonly string[] {
  const { paint, glyphs, now, width } = look;
  const { attempts, until, code, message } = trouble;
  const { heading, text } = failureWords({ code: code ?? 'model-unavailable', message });
  const head = spread(
    paint.warn(`${glyphs.unknown} ${paint.strong(heading)}`),
    paint.ink3(
      `attempt ${attempts}${mostAttempts === undefined ? '' : ` of ${mostAttempts}`} ${glyphs.dot} ${nextText(until, now)}`,
    ),
    width - 4,
  );
  const saved =
    queued === 0 ? 'Your prompt is saved.' : `Your prompt and ${counted(queued, 'queued prompt')} are saved.`;
  const choice = (key: string, does: string) => `${paint.strong(key)}  ${paint.ink2(does)}`;
  return [
    head,
    ...wrapped(paint.ink2(`${visibleLine(withoutAdvice(text))} Rondo keeps retrying. ${saved}`), width - 4),
    '',
    ...wrapped(
      [
        choice('Enter', 'Retry now'),
        choice('M', ['Switch model', ...namedModels(others)].join(': ')),
        choice('Esc', 'Stop'),
        choice('D', 'Details'),
      ].join('   '),
      width - 4,
    ),
  ].map((line) => `${paint.warn(glyphs.bar)} ${line}`.trimEnd());
}

/** A long pause names the time, so that nobody watches it. */
function nextText(until: number | undefined, now: number): string {
  if (until === undefined) return 'trying now';
  const left = Math.max(0, until - now);
  return left < longMs ? `next in ${elapsedText(left)}` : `next at ${shortClock(until)}`;
}

const longMs = 120_000;

/** At most two of them. */
export function namedModels(others: readonly string[]): readonly string[] {
  return others.length === 0 ? [] : [others.slice(0, 2).map(visibleLine).join(' or ')];
}

/** Rondo itself retries later, the heading counts, and the card offers another model. */
function withoutAdvice(text: string): string {
  return text.replaceAll(
    / ?(?:The provider (?:has problems|limits the call rate)|Retry later[^.]*|Tried \d+ times)\./g,
    '',
  );
}
