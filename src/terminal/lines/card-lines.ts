/**
 * A request as a card: effect, reason, parts or diff, choices. The bar at its left says what it is. The heading and
 * the choices stay, the rest scrolls.
 */
import { visibleWidth } from '@earendil-works/pi-tui';

import type { CardState } from '../chat/card-state.ts';
import { confirmMs } from '../chat/card-state.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { CardChoice } from '../../wording/card-choices.ts';
import { counted } from '../../wording/counted.ts';
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
  /** The usual limit of its rows. */
  readonly height: number;
  /** The rows that there are: a card whose choices need more than the usual height may take them. */
  readonly room: number;
}

export interface DrawnCard {
  readonly lines: readonly string[];
  /** The choices on the screen. One whose rules don't fit isn't offered: nothing is saved unseen. */
  readonly choices: readonly CardChoice[];
  /** Lines of the body that must have been on the screen before a yes. */
  readonly mustSee: number;
  /** The lines of the body on the screen: from the first to before the last. */
  readonly shown: { readonly from: number; readonly to: number };
}

export const notDrawn: DrawnCard = { lines: [], choices: [], mustSee: 0, shown: { from: 0, to: 0 } };

export function cardLines(card: Card, look: Look): DrawnCard {
  const { paint, glyphs } = look;
  const inner: Look = { ...look, width: look.width - 4 };
  const bar = (lines: readonly string[]) => lines.map((line) => `${paint.need(glyphs.bar)} ${line}`.trimEnd());
  if (card.place === 'folded') {
    const heading = paint.need(paint.strong(cut(effectHeading(card.question), inner.width - 12)));
    return {
      ...notDrawn,
      lines: bar([spread(heading, paint.ink3('Tab answer'), inner.width)]),
    };
  }
  const heading = headingLines(card, inner);
  const { lines, parts, most = Infinity } = card.body;
  // A low screen has no row for blank lines.
  const gap = card.height < lowHeight ? [] : [''];
  const least = Math.min(lines.length, most, gap.length === 0 ? 2 : 5);
  const others = heading.length + 2 * gap.length;
  const roomBeside = (rows: number) => Math.min(most, Math.max(least, card.height - others - rows));
  const hiddenBeside = (rows: number) => Math.max(0, lines.length - roomBeside(rows));
  const hides = parts === undefined ? () => 0 : hiddenBeside;
  const { choices, lines: chosen } = fitting(card, { room: card.room - others - least, hides }, inner);
  const room = roomBeside(chosen.length);
  const isCut = lines.length > room;
  const count = isCut ? room - 1 : lines.length;
  const wanted = card.state.scroll ?? (parts === undefined ? 0 : worstFrom(parts, count));
  const from = Math.max(0, Math.min(wanted, lines.length - count));
  const to = from + count;
  const { count: files = 1 } = card.body.files ?? {};
  const rest = isCut || files > 1 ? [restLine(card.body, { from, to }, inner)] : [];
  const shown = [...lines.slice(from, to), ...rest];
  return {
    lines: bar([...heading, ...(shown.length === 0 ? [] : [...gap, ...shown]), ...gap, ...chosen]),
    choices,
    mustSee: parts === undefined ? 0 : lines.length,
    shown: { from, to },
  };
}

const lowHeight = 12;

interface FittingChoices {
  readonly choices: readonly CardChoice[];
  readonly lines: readonly string[];
}

interface ChoicesRoom {
  readonly room: number;
  /** How many lines of the request's parts don't fit beside that many rows of choices. */
  readonly hides: (rows: number) => number;
}

/** Every choice stays in sight. Explanations go first, also where they would hide parts, then choices that save rules. */
function fitting(card: Card, { room, hides }: ChoicesRoom, look: Look): FittingChoices {
  const bare = card.choices.map((choice) => ({ ...choice, rules: choice.bareRules ?? choice.rules }));
  const explained = choiceRows(card, look).flat();
  const plainly = choiceRows({ ...card, choices: bare }, look).flat();
  if (explained.length <= room && hides(explained.length) <= hides(plainly.length))
    return { choices: card.choices, lines: explained };
  if (plainly.length <= room) return { choices: bare, lines: plainly };
  const plain = bare.filter(({ rules }) => rules.length === 0);
  const more =
    plain.length === bare.length ? [] : [cut(look.paint.ink3('     More choices on a larger screen'), look.width)];
  const rows = choiceRows({ ...card, choices: plain }, look);
  return { choices: plain, lines: [...aroundSelected(rows, card, room - more.length, look), ...more] };
}

/** The rows around the selected one. A question may have more answers than rows. */
function aroundSelected(
  rows: readonly (readonly string[])[],
  { state, choices }: Card,
  room: number,
  { paint, glyphs }: Look,
): readonly string[] {
  if (rows.flat().length <= room) return rows.flat();
  const at = Math.max(
    0,
    choices.findIndex(({ key }) => key === state.selected),
  );
  let [from, to] = [Math.min(at, rows.length - 1), Math.min(at, rows.length - 1) + 1];
  const height = () => rows.slice(from, to).flat().length + (from > 0 ? 1 : 0) + (to < rows.length ? 1 : 0);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [up, down] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const before = [from, to] as const;
      [from, to] = [Math.max(0, from - up), Math.min(rows.length, to + down)];
      if (height() > Math.max(room, 3)) [from, to] = before;
      else isGrowing ||= from !== before[0] || to !== before[1];
    }
  }
  const note = (count: number, where: string) =>
    count === 0 ? [] : [paint.ink3(`  ${glyphs.more}  ${count} more ${where}`)];
  return [...note(from, 'above'), ...rows.slice(from, to).flat(), ...note(rows.length - to, 'below')];
}

/** The scroll at which the most dangerous part is in view, as high up as possible. */
function worstFrom({ starts, worst }: NonNullable<CardBody['parts']>, room: number): number {
  const first = starts[worst] ?? 0;
  const end = starts[worst + 1] ?? first + 1;
  return end <= room ? 0 : Math.min(first, end - room);
}

/** Describes the hidden lines above and below the body, with the keys that show them. */
function restLine(
  { lines, parts, files }: CardBody,
  { from, to }: DrawnCard['shown'],
  { paint, glyphs, width }: Look,
): string {
  const isWide = width >= 90;
  const { starts } = parts ?? {};
  const hidden = (isHidden: (first: number, end: number) => boolean) =>
    (starts ?? []).slice(0, -1).filter((first, index) => isHidden(first, starts?.[index + 1] ?? first)).length;
  const above = starts === undefined ? from : hidden((first) => first < from);
  const below = starts === undefined ? lines.length - to : hidden((_, end) => end > to);
  const noun = starts === undefined ? 'line' : 'part';
  const others = files === undefined || files.count < 2 ? 0 : files.count - 1;
  const texts = [
    above === 0 ? '' : `${counted(above, `more ${noun}`)} above`,
    below === 0 ? '' : `${counted(below, `more ${noun}`)}${starts === undefined ? '' : ' below'}`,
    others === 0 ? '' : counted(others, 'more file'),
  ].filter((text) => text !== '');
  const key = (name: string, does: string) => `${paint.ink2(name)} ${paint.ink3(does)}`;
  const keys = [
    below > 0 ? key('PgDn', isWide ? 'scroll' : '') : above > 0 ? key('PgUp', isWide ? 'scroll' : '') : '',
    others === 0 ? '' : key(']', 'next file'),
    isWide ? key('Ctrl+O', 'full screen') : '',
  ].filter((text) => text !== '');
  const where = paint.ink3(`  ${glyphs.more.padStart(isWide ? 3 : 1)}  ${texts.join(', ')}`);
  const line = [where, ...keys.map((text) => text.trimEnd())].join(isWide ? '   ' : '  ');
  return visibleWidth(line) <= width ? line : cut(where, width);
}

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
    ...(isWide || (hint === '' && more === 0) ? [] : [cut(note, width)]),
    ...reasonLine(question, look),
  ];
}

/** The labels share a column. Rules and effects that don't fit go below their label, whole. */
function choiceRows({ choices, state, question, place }: Card, look: Look): readonly (readonly string[])[] {
  const { paint, width, now } = look;
  const danger = isDangerous(question);
  // "Deny with a reason" stands beside "Deny", and letting the agent decide beside typing an answer.
  const isBeside = ({ key, does }: CardChoice) => does.type === 'reason' || key === '0';
  const rows = choices.filter((choice) => !isBeside(choice));
  const labelled = Math.min(34, Math.max(...rows.map(({ label }) => visibleWidth(label))));
  const besideText = (choice: CardChoice) => {
    const isSelected = choice.key === state.selected && place !== 'prompt';
    const text = `${paint.strong(choice.key.toUpperCase())}  ${choice.label}`;
    return isSelected ? paint.selected(`${look.glyphs.prompt} ${text}`) : text;
  };
  return rows.map((choice) => {
    const isSelected = choice.key === state.selected && place !== 'prompt';
    const isArmed = state.armed?.key === choice.key && now - state.armed.at <= confirmMs;
    // The mark of a selected row takes the place of the first of two keys.
    const isDouble = danger && choice.key === 'y' && !isSelected;
    const mark = isSelected ? `${look.glyphs.prompt} ` : danger ? '' : '  ';
    const start = `${mark}${paint.strong(padded((isDouble ? 'Y Y' : choice.key).toUpperCase(), danger && !isSelected ? 3 : 1))}  `;
    const label = choice.key === 'y' ? paint.strong(choice.label) : choice.label;
    const effect = isArmed
      ? paint.fail(armedText(choice.key.toUpperCase(), state, now))
      : effectText(choice, look);
    const next = choices[choices.indexOf(choice) + 1];
    const beside = next === undefined || !isBeside(next) ? '' : besideText(next);
    const tail = [effect, beside].filter((text) => text !== '').join('   ');
    const wide = `${start}${padded(label, labelled)}  ${tail}`;
    const lines =
      visibleWidth(wide) <= width
        ? [wide]
        : visibleWidth(`${start}${choice.label}  ${tail}`) <= width
          ? [`${start}${label}  ${tail}`]
          : beside !== '' && visibleWidth(`${start}${choice.label}   ${beside}`) <= width
            ? // Without room, the effect of a no is left out: it is obvious.
              [`${start}${label}   ${beside}`]
            : [
                ...wrapped(label, width, start, ' '.repeat(visibleWidth(start))),
                ...(tail === '' ? [] : wrapped(tail, width, '     ')),
              ];
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

function armedText(key: string, { armed }: CardState, now: number): string {
  const since = now - (armed?.at ?? now);
  if (since < 0) return `Let go of ${key}, then press it again to run`;
  return `Press ${key} again to run (${Math.max(1, Math.ceil((confirmMs - since) / 1000))}s)`;
}
