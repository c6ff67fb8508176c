import { finalText, systemPrompt, toolArguments, toolName, toolOutput, userText } from './turn-work.ts';

/** The floor's own journal: the minimum from which a session can be folded. */
export type FloorEvent =
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'model-start' }
  | { readonly type: 'tool-call'; readonly call: FloorCall }
  | { readonly type: 'tool-start'; readonly id: string }
  | { readonly type: 'tool-result'; readonly id: string; readonly text: string }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'assistant'; readonly text: string }
  | { readonly type: 'turn-end' };

export type FloorRecord = FloorEvent & { readonly seq: number; readonly session: string; readonly at: number };

export interface FloorCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export interface FloorState {
  seq: number;
  messages: FloorMessage[];
  partial: string;
}

type FloorMessage =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly role: 'assistant'; readonly call: FloorCall }
  | { readonly role: 'tool'; readonly id: string; readonly text: string };

export function newFloorState(): FloorState {
  return { seq: 0, messages: [{ role: 'system', text: systemPrompt }], partial: '' };
}

export function foldFloor(state: FloorState, event: FloorEvent): void {
  switch (event.type) {
    case 'user':
      state.messages.push({ role: 'user', text: event.text });
      return;
    case 'tool-call':
      state.messages.push({ role: 'assistant', call: event.call });
      return;
    case 'tool-result':
      state.messages.push({ role: 'tool', id: event.id, text: event.text });
      return;
    case 'delta':
      state.partial += event.text;
      return;
    case 'assistant':
      state.messages.push({ role: 'assistant', text: event.text });
      state.partial = '';
      return;
    case 'model-start':
    case 'tool-start':
    case 'turn-end':
      return;
  }
}

/** The events of one standard turn, without deltas, which aren't stored. */
export function floorTurn(id: string): readonly FloorEvent[] {
  return [
    { type: 'user', text: userText },
    { type: 'model-start' },
    { type: 'tool-call', call: { id, name: toolName, args: toolArguments } },
    { type: 'tool-start', id },
    { type: 'tool-result', id, text: toolOutput },
    { type: 'model-start' },
    { type: 'assistant', text: finalText },
    { type: 'turn-end' },
  ];
}
