/** Shown while the provider fails and the turn waits to try again: one card that counts. */
import type { ProviderTrouble } from '../../views/provider-trouble.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { counted } from '../../wording/counted.ts';
import { elapsedText } from '../../wording/duration.ts';
import { spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface ProviderFacts {
  readonly trouble: ProviderTrouble;
  readonly model: string;
  readonly queued: number;
}

export function providerCard({ trouble, model, queued }: ProviderFacts, look: Look): readonly string[] {
  const { paint, glyphs, now, width } = look;
  const { attempts, until, message } = trouble;
  const next = until === undefined ? 'trying now' : `next in ${elapsedText(Math.max(0, until - now))}`;
  const head = spread(
    paint.warn(`${glyphs.unknown} ${paint.strong(`${model} isn't answering`)}`),
    paint.ink3(`attempt ${attempts} ${glyphs.dot} ${next}`),
    width - 4,
  );
  const saved =
    queued === 0 ? 'Your prompt is saved.' : `Your prompt and ${counted(queued, 'queued prompt')} are saved.`;
  const choice = (key: string, does: string) => `${paint.strong(key)}  ${paint.ink2(does)}`;
  return [
    head,
    ...wrapped(paint.ink2(`${visibleLine(message)} Rondo keeps trying. ${saved}`), width - 4),
    '',
    `${choice('Alt+M', 'Switch model')}   ${choice('Esc', 'Stop')}`,
  ].map((line) => `${paint.warn(glyphs.bar)} ${line}`.trimEnd());
}
