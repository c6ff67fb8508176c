import type { Call } from '../kernel/call.ts';
import type { Event } from '../kernel/event.ts';
import type { CallId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import { itemAt } from './persistent-list.ts';
import type { CallEnd, CallItem, CallState } from './transcript-item.ts';
import { itemId, withChanged, withCurrent, withItem, type Transcript } from './transcript-view.ts';

interface Moment {
  readonly seq: number;
  readonly at: number;
}

/** Adds the calls of a reply or task to the conversation. Later events refer to them by id. */
export function withPlannedCalls(view: Transcript, calls: readonly Call[], moment: Moment): Transcript {
  const first = view.items.length;
  return withCurrent(withCallItems(view, calls, moment), { calls: { first, ids: calls.map(({ id }) => id) } });
}

/** Adds calls that follow from one of the current calls. Other items in between have no id. */
export function withAddedCalls(view: Transcript, calls: readonly Call[], moment: Moment): Transcript {
  if (calls.length === 0) return view;
  const { first, ids } = view.current.calls;
  const between = Array.from({ length: view.items.length - first - ids.length }, () => '' as CallId);
  const all = [...ids, ...between, ...calls.map(({ id }) => id)];
  return withCurrent(withCallItems(view, calls, moment), { calls: { first, ids: all } });
}

function withCallItems(view: Transcript, calls: readonly Call[], { seq, at }: Moment): Transcript {
  return calls.reduce<Transcript>(
    (grown, { id, tool, args, facts }, index) =>
      withItem(grown, {
        type: 'call',
        id: itemId(seq, index + 1),
        at,
        call: id,
        tool,
        args,
        facts,
        attempts: 0,
        state: { type: 'planned' },
      }),
    view,
  );
}

export function withCallItem(
  view: Transcript,
  call: CallId | undefined,
  change: (item: CallItem) => CallItem,
): Transcript {
  return call === undefined ? view : withChanged(view, placeOf(view, call), 'call', change);
}

export function withStarted(
  view: Transcript,
  call: CallId,
  { seq, at }: Moment,
  rule: string | undefined,
): Transcript {
  return withCallItem(view, call, (item) => ({
    ...item,
    ...optional({ rule }),
    run: { seq, at },
    attempts: 1,
    state: { type: 'running' },
  }));
}

/** Marks the current call that this intent started as running again. */
export function withRepeated(view: Transcript, intent: number, attempt: number): Transcript {
  const { first, ids } = view.current.calls;
  const again = ids.find((_, index) => {
    const item = itemAt(view.items, first + index);
    return item?.type === 'call' && item.run?.seq === intent;
  });
  return withCallItem(view, again, (item) => ({ ...item, attempts: attempt, state: { type: 'running' } }));
}

export function withResult(view: Transcript, call: CallId, result: ToolResult, at: number): Transcript {
  return withCallItem(view, call, (item) => ({ ...item, state: resultState(result, endOf(item, at)) }));
}

export function withRefused(
  view: Transcript,
  { call, code, reason, rule }: Extract<Event, { type: 'call-refused' }>,
  at: number,
): Transcript {
  return withCallItem(view, call, (item) => ({
    ...item,
    ...optional({ rule }),
    state: { type: 'refused', code, reason, ...endOf(item, at) },
  }));
}

/** One of the current calls. */
export function callItemIn(view: Transcript, call: CallId): CallItem | undefined {
  const place = placeOf(view, call);
  const item = place === undefined ? undefined : itemAt(view.items, place);
  return item?.type === 'call' ? item : undefined;
}

function placeOf({ current }: Transcript, call: CallId): number | undefined {
  const index = current.calls.ids.indexOf(call);
  return index === -1 ? undefined : current.calls.first + index;
}

function resultState(result: ToolResult, end: CallEnd): CallState {
  switch (result.type) {
    case 'success': {
      const { output, data } = result;
      return { type: 'succeeded', output, ...optional({ data }), ...end };
    }
    case 'error':
      return { type: 'failed', code: result.code, message: result.message, ...end };
    case 'cancelled':
      return { type: 'cancelled', ...optional({ output: result.output }), ...end };
  }
}

function endOf({ run }: CallItem, at: number): CallEnd {
  return { at, ...(run !== undefined && { durationMs: Math.max(0, at - run.at) }) };
}
