/** Everyone to notify about a live session: followers, callers that wait for a turn, and the context of its effects. */
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import { createBroadcast, type Broadcast } from './broadcast.ts';
import { extendMessages, newContextMessages, type ContextMessages } from './context-messages.ts';
import type { EffectProgress } from '../../ports/effect-host.ts';
import { namedIn } from '../mailbox/key-receipt.ts';
import { receiptFor, type Stepped } from '../mailbox/letter.ts';
import { addProgress, endStreams, newStreams, type Streams } from './streams.ts';
import { awaitTurn, newTurnWatch, watchEvent, type TurnWatch } from './turn-watch.ts';

export interface Audience {
  readonly streams: Streams;
  readonly turns: TurnWatch;
  readonly messages: ContextMessages;
  /** Created for the first listener: most waiting sessions have none. */
  broadcast: Broadcast | undefined;
}

/** Called for every event after its commit, with the state after its transition. */
export type EventObserver = (session: SessionId, recorded: Recorded, state: State) => void;

export function newAudience(opened: State): Audience {
  return {
    streams: newStreams(),
    turns: newTurnWatch(),
    messages: newContextMessages(opened),
    broadcast: undefined,
  };
}

/** Answers the sender of a committed letter and announces the resulting events. */
export function announce(audience: Audience, stepped: Stepped, onEvent: EventObserver | undefined): void {
  const { letter, transition, json } = stepped;
  const { events, state } = transition;
  const { watch, resolve } = letter.sender;
  const receipt = receiptFor(stepped);
  const first = namedIn(events);
  // Watch before announcing, since the turn may end within this transition.
  const turn =
    watch === undefined || first === undefined ? undefined : awaitTurn(audience.turns, first.seq, watch);
  let index = 0;
  for (const recorded of events) {
    extendMessages(audience.messages, recorded);
    endStreams(audience.streams, recorded.event);
    audience.broadcast?.tell({ type: 'event', recorded, json: json[index] ?? '' });
    watchEvent(audience.turns, recorded);
    onEvent?.(state.id, recorded, state);
    index += 1;
  }
  resolve?.(turn === undefined || receipt.type === 'refused' ? receipt : { ...receipt, turn });
}

export function announceProgress({ streams, broadcast }: Audience, progress: EffectProgress): void {
  const update = addProgress(streams, progress);
  broadcast?.tell(update);
}

export function broadcastOf(audience: Audience): Broadcast {
  return (audience.broadcast ??= createBroadcast());
}
