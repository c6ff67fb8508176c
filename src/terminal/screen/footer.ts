/**
 * The footer: mode and model left; context, cost, project:branch and server right, always in this order. A narrow
 * screen drops words, changes, the project and the model's prefix, in this order. Below 50 columns it takes two rows.
 */
import { visibleWidth } from '@earendil-works/pi-tui';

import type { ContextShare } from '../../views/context-share.ts';
import type { Status } from '../../views/status.ts';
import { amountText, tokensText } from '../../wording/amount.ts';
import { dollarsText } from '../../wording/cost.ts';
import { cut } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { Paint, Style } from '../theme.ts';

export interface FooterFacts {
  readonly mode: FooterMode;
  readonly model: string;
  /** The provider doesn't answer. */
  readonly isModelFailing: boolean;
  /** Undefined until it is known. */
  readonly context: Pick<ContextShare, 'tokens' | 'window'> | undefined;
  readonly usage: Pick<Status['usage'], 'cost' | 'costIsKnown' | 'unpricedCalls' | 'unreportedTurns'>;
  readonly costLimit: number | undefined;
  readonly project: string;
  readonly branch: string | undefined;
  /** Lines that the session changed. */
  readonly changes: { readonly added: number; readonly removed: number };
  /** Undefined if the sessions run in this process. */
  readonly server: string | undefined;
  readonly isLost: boolean;
}

export interface FooterMode {
  readonly name: string;
  readonly tone: 'plain' | 'accept' | 'auto';
}

type FooterLook = Pick<Look, 'paint' | 'width' | 'glyphs'>;

/** What a narrow screen leaves out, in this order. */
const drops = ['words', 'changes', 'project', 'prefix'] as const;
/** Screens this narrow start with everything dropped, so that the footer doesn't change with each figure. */
const allDroppedBelow = 72;
const wideFrom = 100;
const twoRowsBelow = 50;

export function footerLines(facts: FooterFacts, look: FooterLook): readonly string[] {
  const { paint, width, glyphs } = look;
  const between = (gap: string) => `${gap}${paint.rule(glyphs.dot)}${gap}`;
  const separator = between(width >= wideFrom ? '  ' : ' ');
  const row = (count: number) => {
    const dropped = new Set<string>(drops.slice(0, count));
    const left = [modeText(facts.mode, look), modelText(facts, dropped, look)].join(separator);
    const right = [
      contextText(facts, dropped, paint),
      costText(facts, dropped, paint),
      placeText(facts, dropped, look),
      serverText(facts, look),
    ].join(separator);
    return { left, right, room: width - 4 - visibleWidth(left) - visibleWidth(right) };
  };
  let count = width < allDroppedBelow ? drops.length : 0;
  while (count < drops.length && row(count).room < 2) count += 1;
  const { left, right, room } = row(count);
  if (width < twoRowsBelow || room < 1) return [cut(`  ${left}`, width), cut(`  ${right}`, width)];
  return [cut(`  ${left}${' '.repeat(Math.max(1, room))}${right}`, width)];
}

function modeText({ name, tone }: FooterMode, { paint, glyphs }: FooterLook): string {
  switch (tone) {
    case 'plain':
      return paint.strong(name);
    case 'accept':
    case 'auto':
      return paint[tone](paint.strong(`${glyphs.mode} ${name}`));
  }
}

function modelText(
  { model, isModelFailing }: FooterFacts,
  dropped: ReadonlySet<string>,
  { paint, glyphs }: FooterLook,
): string {
  const short = dropped.has('prefix') ? model.replace(/^(?:.*[:/])?(?:claude|models)?-?(?=.)/, '') : model;
  return isModelFailing ? `${short} ${paint.warn(glyphs.unknown)}` : short;
}

function contextText({ context }: FooterFacts, dropped: ReadonlySet<string>, paint: Paint): string {
  const word = dropped.has('words') ? '' : ' context';
  if (context === undefined) return paint.ink2(`0%${word}`);
  const { tokens, window } = context;
  if (window === undefined && tokens === 0) return paint.ink2(`0%${word}`);
  if (window === undefined) return paint.ink2(dropped.has('words') ? amountText(tokens) : tokensText(tokens));
  const percent = Math.round((tokens / window) * 100);
  const style: Style = percent >= 90 ? paint.fail : percent >= 70 ? paint.warn : paint.ink2;
  return style(`${percent}%${word}`);
}

function costText({ usage, costLimit }: FooterFacts, dropped: ReadonlySet<string>, paint: Paint): string {
  const { unpricedCalls, unreportedTurns = 0 } = usage;
  const unpriced = usage.costIsKnown ? '' : ` + ${unpricedCalls + unreportedTurns} unpriced`;
  const limit = costLimit === undefined || dropped.has('words') ? '' : ` of ${dollarsText(costLimit)}`;
  const isNear = costLimit !== undefined && usage.cost >= 0.8 * costLimit;
  return (isNear ? paint.warn : paint.ink2)(`${dollarsText(usage.cost)}${limit}${unpriced}`);
}

function placeText(
  { project, branch, changes }: FooterFacts,
  dropped: ReadonlySet<string>,
  { paint, glyphs }: FooterLook,
): string {
  const { added, removed } = changes;
  const place =
    branch === undefined
      ? paint.ink2(project)
      : `${dropped.has('project') ? '' : paint.ink3(`${project}:`)}${paint.ink2(branch)}`;
  if (dropped.has('changes')) return place;
  return [
    place,
    ...(added > 0 ? [paint.done(`+${added}`)] : []),
    ...(removed > 0 ? [paint.fail(`${glyphs.minus}${removed}`)] : []),
  ].join(' ');
}

function serverText({ server, isLost }: FooterFacts, { paint, glyphs }: FooterLook): string {
  const name = server === undefined ? 'local' : serverName(server);
  return isLost ? paint.warn(`${glyphs.unknown} ${name}`) : paint.ink2(name);
}

/** The host name. A server on this machine is `local`. */
export function serverName(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : address;
  return /^(127\.|localhost$|\[::1\]$)/.test(host) ? 'local' : host;
}
