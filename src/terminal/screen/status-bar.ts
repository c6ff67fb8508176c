/** The line below the editor: agent, model and cost. Drops the least important parts first if there is no room. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { amountText, tokensText } from '../../wording/amount.ts';
import { costText } from '../../wording/cost.ts';
import type { Status } from '../../views/status.ts';
import { cut } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';

export interface Surroundings {
  readonly branch: string | undefined;
  readonly server: string | undefined;
  /** True if the server is unreachable. */
  readonly isLost: boolean;
  readonly liveWorkers: number;
}

interface Part {
  readonly text: string;
  /** Lower weights are dropped first. */
  readonly weight: number;
}

export function statusBar(status: Status, around: Surroundings, look: Pick<Look, 'paint' | 'width'>): string {
  const { paint, width } = look;
  const { usage, limits, queue } = status;
  const tokens = usage.inputTokens + usage.outputTokens;
  const budget = [
    limits.tokens === undefined
      ? ''
      : `${Math.round((tokens / limits.tokens) * 100)} % of ${amountText(limits.tokens)}`,
    limits.cost === undefined ? '' : `of ${costText({ cost: limits.cost, costIsKnown: true })}`,
  ].filter((part) => part !== '');
  const parts: readonly Part[] = [
    { text: paint.agent(paint.strong(status.agent)), weight: 100 },
    { text: status.model === undefined ? '' : status.model, weight: 70 },
    { text: status.mode === 'interactive' ? '' : paint.warning(status.mode), weight: 90 },
    { text: tokensText(tokens), weight: 60 },
    { text: tokens === 0 ? '' : costText(usage), weight: 65 },
    { text: budget.join(', '), weight: 55 },
    { text: queue.prompts.length === 0 ? '' : paint.accent(`${queue.prompts.length} queued`), weight: 85 },
    { text: queue.paused ? paint.warning('queue paused') : '', weight: 95 },
    { text: around.liveWorkers === 0 ? '' : `${around.liveWorkers} working`, weight: 80 },
    { text: around.branch === undefined ? '' : `⎇ ${around.branch}`, weight: 50 },
    { text: serverText(around, paint), weight: around.isLost ? 110 : 40 },
  ];
  let shown = parts.filter(({ text }) => text !== '');
  const line = () => shown.map(({ text }) => text).join(paint.quiet(' · '));
  while (shown.length > 1 && visibleWidth(line()) > width) {
    const least = Math.min(...shown.map(({ weight }) => weight));
    shown = shown.filter(({ weight }) => weight !== least);
  }
  return cut(line(), width);
}

function serverText({ server, isLost }: Surroundings, paint: Look['paint']): string {
  if (server === undefined) return '';
  const name = server.replace(/^https?:\/\//, '');
  return isLost ? paint.warning(`◌ ${name} unreachable, reconnecting`) : `on ${name}`;
}
