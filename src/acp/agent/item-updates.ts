/** Updates about one conversation item, when it is new and when it changes. */
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';

import { isBlobRef, previewOf } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import type { Item, Notice, PromptItem } from '../../views/transcript-item.ts';
import { noticeText } from '../../wording/notice.ts';
import { promptRequestText } from '../../wording/transcript-lines.ts';
import { agentToolCallOf, toolCallOf, type ToolCallPlace } from './tool-call-content.ts';

export interface ItemPlace extends ToolCallPlace {
  /** Characters already streamed, by the effect that produced the text. */
  streamed(effect: string, kind: 'text' | 'reasoning'): number;
  /** True if this client sent the prompt and already shows it. */
  isOwn(prompt: number): boolean;
}

export async function itemUpdates(
  item: Item,
  place: ItemPlace,
  how: 'new' | 'changed',
): Promise<readonly SessionUpdate[]> {
  switch (item.type) {
    case 'prompt':
      return how === 'new' && !place.isOwn(item.prompt) ? await promptUpdates(item, place) : [];
    case 'message': {
      if (how === 'changed') return [];
      const reasoning = item.reasoning === undefined ? '' : await place.read(item.reasoning);
      const text = await place.read(item.text);
      return [
        ...chunk('agent_thought_chunk', reasoning.slice(place.streamed(item.effect, 'reasoning')), item.effect),
        ...chunk('agent_message_chunk', text.slice(place.streamed(item.effect, 'text')), item.effect),
      ];
    }
    case 'agent-message':
    case 'agent-thought': {
      const kind = item.type === 'agent-message' ? 'text' : 'reasoning';
      const text = await place.read(item.text);
      const had = item.effect === undefined ? 0 : place.streamed(item.effect, kind);
      const name = kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
      return how === 'changed' ? [] : chunk(name, text.slice(had), item.effect ?? item.id);
    }
    case 'call':
      return [toolCall(await toolCallOf(item, place), how)];
    case 'agent-call':
      return [toolCall(await agentToolCallOf(item, place), how)];
    case 'agent-plan':
      return [
        {
          sessionUpdate: 'plan',
          entries: item.entries.map(({ text, state }) => ({
            content: text,
            priority: 'medium',
            status: state === 'completed' ? 'completed' : state === 'pending' ? 'pending' : 'in_progress',
          })),
        },
      ];
    case 'notice':
      return how === 'new' ? noticeUpdates(item.about, place) : [];
    case 'worker':
    case 'question':
    case 'ending':
      return [];
  }
}

/** Of the prompt that a turn took with this event. */
export function promptMessageId(id: string | number): string {
  return `prompt-${id}`;
}

export function chunk(
  sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk',
  text: string,
  messageId: string,
): readonly SessionUpdate[] {
  return text === '' ? [] : [{ sessionUpdate, content: { type: 'text', text }, messageId }];
}

function toolCall(call: Awaited<ReturnType<typeof toolCallOf>>, how: 'new' | 'changed'): SessionUpdate {
  if (how === 'new') return { sessionUpdate: 'tool_call', ...call };
  const { toolCallId, status, content, title } = call;
  const update: ToolCallUpdate = {
    toolCallId,
    title,
    ...optional({ status }),
    content: content ?? [],
  };
  return { sessionUpdate: 'tool_call_update', ...update };
}

async function promptUpdates({ asked, id }: PromptItem, { read }: ItemPlace): Promise<readonly SessionUpdate[]> {
  switch (asked.type) {
    case 'chat': {
      const images = (asked.attachments ?? []).flatMap(({ mediaType, content }): readonly SessionUpdate[] =>
        mediaType.startsWith('image/') && !isBlobRef(content)
          ? [
              {
                sessionUpdate: 'user_message_chunk',
                content: { type: 'image', mimeType: mediaType, data: content },
                messageId: promptMessageId(id),
              },
            ]
          : [],
      );
      return [...chunk('user_message_chunk', await read(asked.text), promptMessageId(id)), ...images];
    }
    case 'task':
      return chunk('user_message_chunk', promptRequestText(asked, previewOf), promptMessageId(id));
    case 'compact':
      return chunk('user_message_chunk', '/compact', promptMessageId(id));
  }
}

async function noticeUpdates(about: Notice, { read }: ItemPlace): Promise<readonly SessionUpdate[]> {
  switch (about.type) {
    case 'mode-changed':
      return [{ sessionUpdate: 'current_mode_update', currentModeId: about.mode }];
    case 'compacted': {
      const description = about.summary === undefined ? about.message : await read(about.summary);
      return [
        { sessionUpdate: 'notice', severity: 'info', title: noticeText(about), ...optional({ description }) },
      ];
    }
    case 'agent-notice':
      return [{ sessionUpdate: 'notice', severity: about.severity, title: about.text }];
    case 'waiting':
      return [{ sessionUpdate: 'notice', severity: 'info', title: noticeText(about) }];
    case 'limit-neared':
      return [{ sessionUpdate: 'notice', severity: 'warning', title: noticeText(about) }];
    default:
      return [];
  }
}
