/** A turn that failed: what, why, and what to do. Shown once, below the text that it ended. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { visibleLine } from '../../views/visible-text.ts';
import { shortClock } from '../../wording/clock.ts';
import { counted } from '../../wording/counted.ts';
import { durationText } from '../../wording/duration.ts';
import type { FailureWords } from '../../wording/failure.ts';
import { padded, spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

interface FailureFacts {
  readonly words: FailureWords;
  readonly at: number;
  readonly durationMs: number | undefined;
  readonly queued: number;
}

export interface FailureChoice {
  readonly key: string;
  readonly label: string;
  readonly effect: string;
}

export function failureCard(
  facts: FailureFacts,
  choices: readonly FailureChoice[],
  selected: number | undefined,
  look: Look,
): readonly string[] {
  const { paint, glyphs } = look;
  const width = look.width - 4;
  const { words, at, durationMs, queued } = facts;
  const kept = queued === 0 ? '' : `${counted(queued, 'queued prompt')} ${queued === 1 ? 'is' : 'are'} kept.`;
  const text = [words.text, kept].filter((part) => part !== '').join(' ');
  const note = [durationMs === undefined ? '' : durationText(durationMs), shortClock(at)]
    .filter((part) => part !== '')
    .join(` ${glyphs.dot} `);
  const labelled = Math.max(...choices.map(({ label }) => visibleWidth(label)));
  const rows = choices.flatMap(({ key, label, effect }, index) => {
    const isSelected = index === selected;
    const start = `${isSelected ? glyphs.prompt : ' '} ${paint.strong(key.toUpperCase())}  `;
    const wide = `${start}${padded(label, labelled)}   ${paint.ink2(effect)}`;
    const lines =
      visibleWidth(wide) <= width ? [wide] : [`${start}${label}`, ...wrapped(paint.ink2(effect), width, '     ')];
    return isSelected ? lines.map((line) => paint.selected(padded(line, width))) : lines;
  });
  return [
    spread(paint.fail(`${glyphs.failed} ${paint.strong(visibleLine(words.heading))}`), paint.ink3(note), width),
    ...(text === '' ? [] : wrapped(paint.ink2(visibleLine(text)), width)),
    '',
    ...rows,
  ].map((line) => `${paint.fail(glyphs.bar)} ${line}`.trimEnd());
}
