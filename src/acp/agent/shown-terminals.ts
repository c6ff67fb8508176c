/**
 * Commands as terminals in the editor, for display only: Rondo runs the command, in its sandbox and under its limits,
 * and the editor draws the output as it arrives. Version 1 of the protocol has no such terminal. Editors that offer
 * `terminal_output` in their `_meta` take these keys, which Zed introduced; version 2 has them as updates.
 */
import type { ClientCapabilities, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';

import { fieldsOf } from '../../kernel/json-object.ts';
import type { CallItem, Item } from '../../views/transcript-item.ts';
import { toolCallIdOf } from './tool-call-content.ts';

export interface ShownTerminals {
  /** A call's updates, with its terminal if it has one. */
  dressed(item: Item, updates: readonly SessionUpdate[]): readonly SessionUpdate[];
  /** Output of a running call, for its terminal. Undefined if it has none. */
  output(call: CallItem, text: string): SessionUpdate | undefined;
}

/** Per call. The end of the call tells how much there was. */
const mostShown = 1_000_000;

export function createShownTerminals(capabilities: ClientCapabilities, cwd: string): ShownTerminals {
  const isOffered = capabilities._meta?.['terminal_output'] === true;
  const offsets = new Map<string, number>();

  function dress(call: CallItem, update: SessionUpdate): readonly SessionUpdate[] {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return [update];
    const { toolCallId } = update;
    const terminal: ToolCallContent = { type: 'terminal', terminalId: toolCallId };
    if (call.state.type === 'running') {
      if (offsets.has(toolCallId)) return [{ ...update, content: [terminal] }];
      offsets.set(toolCallId, 0);
      return [{ ...update, content: [terminal], _meta: { terminal_info: { terminal_id: toolCallId, cwd } } }];
    }
    const length = offsets.get(toolCallId);
    if (length === undefined) return [update];
    offsets.delete(toolCallId);
    const exit = { terminal_id: toolCallId, exit_code: exitCodeOf(call), signal: null };
    // Output that didn't arrive while it ran, and what a failed command's message adds, stay visible as text.
    const isWhole = length > 0 && length < mostShown && call.state.type === 'succeeded';
    const content = isWhole ? [terminal] : [terminal, ...(update.content ?? [])];
    return [{ ...update, content, _meta: { terminal_exit: exit } }];
  }

  return {
    dressed: (item, updates) =>
      isOffered && item.type === 'call' && item.facts.segments !== undefined
        ? updates.flatMap((update) => dress(item, update))
        : updates,
    output(call, text) {
      const toolCallId = toolCallIdOf(call);
      const length = offsets.get(toolCallId);
      if (length === undefined) return undefined;
      offsets.set(toolCallId, length + text.length);
      const data = text.slice(0, Math.max(0, mostShown - length));
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        _meta: { terminal_output: { terminal_id: toolCallId, data } },
      };
    },
  };
}

/** Null if it isn't known. */
function exitCodeOf({ state }: CallItem): number | null {
  if (state.type === 'succeeded') return exitCodeIn(state.data) ?? 0;
  return null;
}

function exitCodeIn(data: unknown): number | undefined {
  const { exitCode } = fieldsOf(data);
  return typeof exitCode === 'number' ? exitCode : undefined;
}
