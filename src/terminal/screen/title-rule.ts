/** The rule above the prompt: the session's title left, what needs the user elsewhere right. */
import { counted } from '../../wording/counted.ts';
import { visibleWidth } from '@earendil-works/pi-tui';

import { cut } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';

interface TitleFacts {
  readonly title: string;
  /** What the next line is, if it isn't a prompt. */
  readonly label: string;
  /** Undefined without vim keys. */
  readonly vimMode?: 'insert' | 'normal' | undefined;
  /** Sessions elsewhere that need the user. */
  readonly waiting: number;
  /** Lines below the visible part of the conversation. */
  readonly below: number;
}

export function titleRule(
  facts: TitleFacts,
  { paint, width, glyphs }: Pick<Look, 'paint' | 'width' | 'glyphs'>,
): string {
  const rule = (count: number) => paint.rule(glyphs.rule.repeat(Math.max(0, count)));
  const note = noteOf(facts, width);
  const right =
    note === undefined
      ? ''
      : ` ${facts.below > 0 ? paint.ink3(note) : paint.need(`${glyphs.need} ${note}`)} ${rule(2)}`;
  const mode = facts.vimMode === undefined ? '' : `${paint.strong(facts.vimMode.toUpperCase())} ${glyphs.dot} `;
  const label = `${mode}${facts.label === '' ? paint.ink2(facts.title) : paint.work(facts.label)}`;
  const left = `${rule(2)} ${cut(label, Math.max(4, width - 8 - visibleWidth(right)))} `;
  return cut(`${left}${rule(width - visibleWidth(left) - visibleWidth(right))}${right}`, width);

  function noteOf({ waiting, below }: TitleFacts, columns: number): string | undefined {
    if (below > 0) return `${glyphs.down} ${counted(below, 'new line')}  End`;
    if (waiting === 0) return undefined;
    if (columns < 72) return `${waiting}`;
    return `${waiting} need${waiting === 1 ? 's' : ''} you  Ctrl+N`;
  }
}
