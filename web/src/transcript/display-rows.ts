/**
 * A conversation as rows: consecutive tool calls fold into one, a rewound part collapses, and an error or a stop is
 * shown once, below the text that it ended.
 */
import { optional } from '../../../src/kernel/optional.ts';
import type {
  CallItem,
  EndingItem,
  Item,
  ItemId,
  NoticeItem,
  QuestionItem,
} from '../../../src/views/transcript-item.ts';
import { stoppedParts } from '../../../src/wording/stopped-turn.ts';

export type DisplayRow =
  | { readonly type: 'item'; readonly id: ItemId; readonly item: Item; readonly isErrorBelow?: true }
  | {
      readonly type: 'ending';
      readonly id: ItemId;
      readonly item: EndingItem;
      /** What the turn's stop ended and kept. */
      readonly left: readonly string[];
      readonly stoppedBy?: string;
    }
  | {
      readonly type: 'calls';
      readonly id: ItemId;
      readonly calls: readonly CallItem[];
      readonly answers: readonly QuestionItem[];
    }
  | {
      readonly type: 'undone';
      readonly id: ItemId;
      /** Turns, calls and replies that no longer count. */
      readonly steps: number;
      readonly isRestored: boolean;
      /** How many files were restored, if known. */
      readonly files?: number;
      readonly problem?: string;
      readonly rows: readonly DisplayRow[];
      /** Only the newest rewind can be undone. */
      readonly isLast: boolean;
    };

export function displayRows(items: readonly Item[]): readonly DisplayRow[] {
  const cuts = rewindsIn(items);
  const rows: DisplayRow[] = [];
  let from = 0;
  for (const [index, { first, marker, end }] of cuts.entries()) {
    rows.push(...foldedRows(items.slice(from, first)));
    const hidden = items.slice(first, marker);
    const notices = items.slice(marker, end);
    const steps = hidden.filter(
      ({ type }) => type === 'message' || type === 'call' || type === 'agent-message' || type === 'agent-call',
    ).length;
    const prompts = hidden.filter(({ type }) => type === 'prompt').length;
    // The undo of a rewind hides only the rewind itself.
    if (steps + prompts > 0)
      rows.push({
        type: 'undone',
        id: items[marker]?.id ?? '',
        steps: Math.max(steps, prompts),
        isRestored: notices.some((item) => isNotice(item, 'files-restored')),
        ...filesIn(notices),
        ...problemIn(notices),
        rows: foldedRows(hidden),
        isLast: index === cuts.length - 1,
      });
    from = end;
  }
  return [...rows, ...foldedRows(items.slice(from))];
}

interface Cut {
  /** Places of the first hidden item, of the rewind, and after its notices. */
  readonly first: number;
  readonly marker: number;
  readonly end: number;
}

/** Newest first, because a rewind voids those within its range. */
function rewindsIn(items: readonly Item[]): readonly Cut[] {
  const cuts: Cut[] = [];
  let before = items.length;
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const item = items[place];
    if (item === undefined || place >= before || item.type !== 'notice' || item.about.type !== 'rewound') continue;
    const { to } = item.about;
    let first = place;
    while (first > 0 && seqOf(items[first - 1]?.id) > to) first -= 1;
    let end = place + 1;
    while (end < items.length && isRestore(items[end])) end += 1;
    // Restored files may be recorded before the conversation moves.
    let marker = place;
    while (marker > first && isRestore(items[marker - 1])) marker -= 1;
    cuts.push({ first, marker, end });
    before = first;
  }
  return cuts.toReversed();
}

function isRestore(item: Item | undefined): boolean {
  return item !== undefined && (isNotice(item, 'files-restored') || isNotice(item, 'restore-failed'));
}

function isNotice(item: Item, type: NoticeItem['about']['type']): item is NoticeItem {
  return item.type === 'notice' && item.about.type === type;
}

function filesIn(notices: readonly Item[]): { readonly files?: number } {
  const restored = notices.find((item) => isNotice(item, 'files-restored'));
  const files =
    restored?.type === 'notice' && restored.about.type === 'files-restored' ? restored.about.files : undefined;
  return files === undefined ? {} : { files };
}

function problemIn(notices: readonly Item[]): { readonly problem?: string } {
  const failed = notices.find((item) => isNotice(item, 'restore-failed'));
  return failed?.type === 'notice' && failed.about.type === 'restore-failed'
    ? { problem: failed.about.message }
    : {};
}

function foldedRows(items: readonly Item[]): readonly DisplayRow[] {
  const rows: DisplayRow[] = [];
  let calls: CallItem[] = [];
  let answers: QuestionItem[] = [];
  let stoppedBy: string | undefined;
  const flush = () => {
    const [first] = calls;
    if (first !== undefined) rows.push({ type: 'calls', id: first.id, calls, answers });
    else for (const item of answers) rows.push({ type: 'item', id: item.id, item });
    calls = [];
    answers = [];
  };
  for (const [place, item] of items.entries()) {
    if (item.type === 'call' && item.tool !== 'delegate' && item.tool !== 'ask_user') calls.push(item);
    else if (item.type === 'question' && item.about.type === 'approval' && item.state.type !== 'open')
      answers.push(item);
    else if (isSilent(item) || (item.type === 'worker' && isOnCard(items, place))) continue;
    else if (item.type === 'notice' && item.about.type === 'interrupted' && isEnded(items, place))
      stoppedBy = item.by.type === 'person' ? item.by.name : undefined;
    else {
      flush();
      if (item.type === 'ending') {
        rows.push({
          type: 'ending',
          id: item.id,
          item,
          left: stoppedParts(items, place),
          ...optional({ stoppedBy }),
        });
        stoppedBy = undefined;
      } else
        rows.push({
          type: 'item',
          id: item.id,
          item,
          ...(item.type === 'message' && isEnded(items, place) && { isErrorBelow: true as const }),
        });
    }
  }
  flush();
  return rows;
}

/** A reply that consists of calls only. */
function isSilent(item: Item): boolean {
  return (
    item.type === 'message' &&
    item.text === '' &&
    item.reasoning === undefined &&
    item.outcome.type === 'completed'
  );
}

/** The card of a worker shows its start and progress, and its end while the call that started it is the newest step. */
function isOnCard(items: readonly Item[], place: number): boolean {
  const item = items[place];
  if (item?.type === 'worker' && (item.state === 'spawned' || item.state === 'progressed')) return true;
  for (let before = place - 1; before >= 0; before -= 1) {
    const earlier = items[before];
    if (earlier?.type === 'call' && earlier.tool === 'delegate') return true;
    if (earlier?.type === 'message' || earlier?.type === 'prompt') return false;
  }
  return false;
}

/** True if the turn's ending follows before the next prompt. */
function isEnded(items: readonly Item[], place: number): boolean {
  for (let next = place + 1; next < items.length; next += 1) {
    const type = items[next]?.type;
    if (type === 'ending') return true;
    if (type === 'prompt') return false;
  }
  return false;
}

/** Items that a fork shares with its origin come before all others. */
function seqOf(id: ItemId | undefined): number {
  return id === undefined || id.includes(':') ? 0 : Number.parseInt(id, 10);
}

export function rowHolds(row: DisplayRow, seq: number): boolean {
  switch (row.type) {
    case 'item':
    case 'ending':
      return seqOf(row.id) >= seq;
    case 'calls':
      return row.calls.some(({ id }) => seqOf(id) >= seq);
    case 'undone':
      return seqOf(row.id) >= seq;
  }
}
