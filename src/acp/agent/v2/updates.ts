/**
 * Updates in version 2 of the protocol, from those of version 1. Both show the same items: version 1 carries whole
 * texts of files, from which the patches of version 2 are made.
 */
import type {
  ContentBlock,
  SessionConfigOption,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';

import { optional } from '../../../kernel/optional.ts';
import type { HowUpdated } from '../editor-client.ts';
import { PART } from '../tool-call-content.ts';
import { gitPatch } from './git-patch.ts';

export function updatesV2(
  update: SessionUpdate,
  { isWhole, isCancelled, plan = 'plan' }: HowUpdated = {},
): readonly v2.SessionUpdate[] {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      const { messageId, content } = update;
      if (typeof messageId !== 'string') return [];
      const make = isWhole === true ? wholes[update.sessionUpdate] : chunks[update.sessionUpdate];
      return [make(messageId, content)];
    }
    case 'tool_call':
    case 'tool_call_update':
      return [
        ...terminalUpdates(update),
        {
          sessionUpdate: 'tool_call_update',
          ...toolCallV2(update),
          ...(isCancelled === true && { status: 'cancelled' }),
        },
      ];
    case 'plan': {
      const { entries } = update;
      return [{ sessionUpdate: 'plan_update', plan: { type: 'items', planId: plan, entries } }];
    }
    case 'available_commands_update': {
      const availableCommands = update.availableCommands.map(({ name, description, input }) => ({
        type: 'command' as const,
        name,
        description,
        ...(input !== undefined && input !== null && { input: { type: 'text' as const, hint: input.hint } }),
      }));
      return [{ sessionUpdate: 'available_commands_update', availableCommands }];
    }
    case 'config_option_update':
      return [{ sessionUpdate: 'config_option_update', configOptions: update.configOptions.map(configOptionV2) }];
    case 'session_info_update':
    case 'usage_update':
    case 'notice':
    case 'compaction_update':
      return [update];
    // Modes are options in version 2.
    case 'current_mode_update':
      return [];
    default:
      return [];
  }
}

type TextUpdate = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';
type ToUpdate = (messageId: string, content: ContentBlock) => v2.SessionUpdate;

const chunks: Readonly<Record<TextUpdate, ToUpdate>> = {
  user_message_chunk: (messageId, content) => ({ sessionUpdate: 'user_message_chunk', messageId, content }),
  agent_message_chunk: (messageId, content) => ({ sessionUpdate: 'agent_message_chunk', messageId, content }),
  agent_thought_chunk: (messageId, content) => ({ sessionUpdate: 'agent_thought_chunk', messageId, content }),
};

const wholes: Readonly<Record<TextUpdate, ToUpdate>> = {
  user_message_chunk: (messageId, content) => ({ sessionUpdate: 'user_message', messageId, content: [content] }),
  agent_message_chunk: (messageId, content) => ({ sessionUpdate: 'agent_message', messageId, content: [content] }),
  agent_thought_chunk: (messageId, content) => ({ sessionUpdate: 'agent_thought', messageId, content: [content] }),
};

export function toolCallV2(update: Partial<ToolCallUpdate> & { readonly toolCallId: string }): v2.ToolCallUpdate {
  const { toolCallId, name, title, kind, status, content, locations, rawInput, rawOutput } = update;
  return {
    toolCallId,
    ...optional({ name, title, kind, status, rawInput, rawOutput }),
    ...(locations !== undefined && locations !== null && { locations: locations.filter(isAbsolute) }),
    ...(content !== undefined && content !== null && { content: content.map(contentV2) }),
  };
}

function isAbsolute({ path }: { readonly path: string }): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]|^\\\\/.test(path);
}

function contentV2(content: ToolCallContent): v2.ToolCallContent {
  switch (content.type) {
    case 'content':
      return { type: 'content', content: content.content };
    case 'terminal':
      return { type: 'terminal', terminalId: content.terminalId };
    case 'diff': {
      const { path, oldText, newText } = content;
      const isNew = oldText === undefined || oldText === null;
      const isPart = content._meta?.[PART] === true;
      return {
        type: 'diff',
        changes: [
          isNew ? { operation: 'add', path, fileType: 'text' } : { operation: 'modify', path, fileType: 'text' },
        ],
        patch: {
          format: 'git_patch',
          text: gitPatch(path, oldText ?? undefined, newText, isPart ? 'part' : 'whole'),
        },
      };
    }
  }
}

/** Version 1 has a command's terminal in `_meta`; see `shown-terminals.ts`. */
function terminalUpdates({ _meta }: { readonly _meta?: unknown }): readonly v2.SessionUpdate[] {
  const { terminal_info: info, terminal_output: output, terminal_exit: exit } = (_meta ?? {}) as TerminalMeta;
  return [
    ...(info === undefined
      ? []
      : [
          {
            sessionUpdate: 'terminal_update' as const,
            terminalId: info.terminal_id,
            cwd: info.cwd,
          },
        ]),
    ...(output === undefined
      ? []
      : [
          {
            sessionUpdate: 'terminal_output_chunk' as const,
            terminalId: output.terminal_id,
            data: Buffer.from(output.data).toString('base64'),
          },
        ]),
    ...(exit === undefined
      ? []
      : [
          {
            sessionUpdate: 'terminal_update' as const,
            terminalId: exit.terminal_id,
            exitStatus: { exitCode: exit.exit_code },
          },
        ]),
  ];
}

interface TerminalMeta {
  readonly terminal_info?: { readonly terminal_id: string; readonly cwd: string };
  readonly terminal_output?: { readonly terminal_id: string; readonly data: string };
  readonly terminal_exit?: { readonly terminal_id: string; readonly exit_code: number | null };
}

export function configOptionV2(option: SessionConfigOption): v2.SessionConfigOption {
  const { id: configId, name, description, category } = option;
  const labels = { configId, name, ...optional({ description, category }) };
  if (option.type === 'boolean') return { type: 'boolean', ...labels, currentValue: option.currentValue };
  const options = option.options.flatMap((one) => ('value' in one ? [one] : one.options));
  return { type: 'select', ...labels, currentValue: option.currentValue, options };
}
