/**
 * A request as a card: effect, reason, parts or diff, choices. The bar at its left says what it is. The heading and
 * the choices stay, the rest scrolls.
 */
import { visibleWidth } from '@earendil-works/pi-tui';

import type { CardState } from '../chat/card-state.ts';
import { confirmMs } from '../chat/card-state.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { CardChoice } from '../../wording/card-choices.ts';
import { effectHeading, isDangerous } from '../../wording/effect-heading.ts';
import { reasonLine, type CardBody } from './card-body.ts';
import { cut, padded, spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface Card {
  readonly question: OpenQuestion;
  readonly choices: readonly CardChoice[];
  readonly state: CardState;
  /** Who asks and since when, such as `migrations · 4m`. */
  readonly from: string;
  /** How many more requests wait. */
  readonly more: number;
  readonly place: 'card' | 'soon' | 'prompt' | 'folded';
  readonly body: CardBody;
  /** The most rows that it may take. */
  readonly height: number;
}

export interface DrawnCard {
  readonly lines: readonly string[];
  /** Lines of the body, and those that were on the screen. */
  readonly mustSee: number;
  readonly seen: number;
  readonly scroll: number;
}

export function cardLines(card: Card, look: Look): DrawnCard {
  const { paint, glyphs } = look;
  const inner: Look = { ...look, width: look.width - 4 };
  const bar = (lines: readonly string[]) => lines.map((line) => `${paint.need(glyphs.bar)} ${line}`.trimEnd());
  const heading = headingLines(card, inner);
  if (card.place === 'folded') {
    const note = paint.ink3('Tab answer');
    return {
      lines: bar([spread(cut(heading[0] ?? '', inner.width - 12), note, inner.width)]),
      mustSee: 0,
      seen: 0,
      scroll: 0,
    };
  }
  const choices = choiceLines(card, inner);
  const { body } = card;
  // A low screen has no row for blank lines.
  const gap = card.height < lowHeight ? [] : [''];
  const room = Math.max(gap.length === 0 ? 2 : 5, card.height - heading.length - choices.length - 2 * gap.length);
  const isCut = body.lines.length > room;
  const shownCount = isCut ? room - 1 : body.lines.length;
  const most = body.lines.length - shownCount;
  const scroll = Math.max(0, Math.min(card.state.scroll, most));
  const rest = body.lines.length - scroll - shownCount;
  const above = scroll > 0 ? `${scroll} more above` : '';
  const below = rest > 0 ? `${rest} more below` : '';
  const shown = [
    ...body.lines.slice(scroll, scroll + shownCount),
    ...(isCut
      ? [paint.ink3(`  ${glyphs.more}  ${[above, below].filter(Boolean).join(', ')}   PgUp PgDn scroll`)]
      : []),
  ];
  return {
    lines: bar([...heading, ...(shown.length === 0 ? [] : [...gap, ...shown]), ...gap, ...choices]),
    mustSee: body.mustSee,
    seen: scroll + shownCount,
    scroll,
  };
}

const lowHeight = 12;

function headingLines({ question, from, more, place }: Card, look: Look): readonly string[] {
  const { paint, width, glyphs } = look;
  const hint = place === 'prompt' ? paint.need('Tab to answer') : '';
  const behind = more === 0 ? '' : `${more} more`;
  const isWide = width >= 90;
  const note = [hint, paint.ink3([from, behind].filter(Boolean).join(` ${glyphs.dot} `))]
    .filter(Boolean)
    .join('  ');
  const text = effectHeading(question);
  const [first = '', ...rest] = wrapped(text, isWide ? Math.max(24, width - visibleWidth(note) - 2) : width);
  const style = (line: string) => paint.need(paint.strong(line));
  return [
    isWide ? spread(style(first), note, width) : style(first),
    ...rest.map(style),
    ...(isWide ? [] : [note]),
    ...reasonLine(question, look),
  ];
}

/** The labels share a column. Rules and effects that don't fit go below their label, whole. */
function choiceLines({ choices, state, question, place }: Card, look: Look): readonly string[] {
  const { paint, width, now } = look;
  const danger = isDangerous(question);
  const keyWidth = danger ? 3 : 1;
  // "Deny with a reason" stands beside "Deny".
  const rows = choices.filter(({ does }) => does.type !== 'reason');
  const reason = choices.find(({ does }) => does.type === 'reason');
  const labelled = Math.min(34, Math.max(...rows.map(({ label }) => visibleWidth(label))));
  return rows.flatMap((choice) => {
    const isSelected = choices.indexOf(choice) === state.selected && place !== 'prompt';
    const isArmed = state.armed?.key === choice.key && now - state.armed.at <= confirmMs;
    const isDouble = danger && choice.key === 'y';
    const key = paint.strong(padded((isDouble ? 'Y Y' : choice.key).toUpperCase(), keyWidth));
    const start = `${isSelected ? look.glyphs.prompt : ' '} ${key}  `;
    const label = paint.strong(choice.label);
    const effect = isArmed
      ? paint.fail(`Press ${choice.key.toUpperCase()} again to run (${secondsLeft(state, now)}s)`)
      : effectText(choice, look);
    const tail =
      choice.key === 'n' && reason !== undefined ? `${effect}   ${paint.strong('R')}  ${reason.label}` : effect;
    const wide = `${start}${padded(label, labelled)}  ${tail}`;
    const lines =
      visibleWidth(wide) <= width
        ? [wide]
        : visibleWidth(`${start}${choice.label}  ${tail}`) <= width
          ? [`${start}${label}  ${tail}`]
          : [`${start}${label}`, ...wrapped(tail, width, ' '.repeat(keyWidth + 4))];
    return isSelected
      ? lines.map((line) => paint.selected(padded(line, width)))
      : lines.map((line) => line.trimEnd());
  });
}

function effectText({ rules, effect }: CardChoice, { paint }: Look): string {
  return [...rules, ...(effect === '' ? [] : [rules.length === 0 ? paint.ink2(effect) : paint.ink3(effect)])].join(
    '  ',
  );
}

function secondsLeft({ armed }: CardState, now: number): number {
  return Math.max(1, Math.ceil((confirmMs - (now - (armed?.at ?? now))) / 1000));
}
