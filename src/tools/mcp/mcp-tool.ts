import { createHash } from 'node:crypto';

import type { CallToolResult, Progress, Tool as McpToolDefinition } from '@modelcontextprotocol/client';

import { isJsonObject } from '../../kernel/json-object.ts';
import { jsonProblem } from '../../kernel/json-problem.ts';
import { optional } from '../../kernel/optional.ts';
import type { ToolResult } from '../../kernel/outcome.ts';
import type { Tool } from '../../ports/tool.ts';
import { problemFacts } from '../define/builtin-tool.ts';
import { capText } from '../../processes/captured-output.ts';
import { failure } from '../define/tool-failure.ts';
import type { McpServer } from './mcp-server.ts';
import { isStdio, type McpServerConfig } from './server-config.ts';

const LONGEST_DESCRIPTION = 4_000;
const LONGEST_OUTPUT = 400_000;

/**
 * Wraps a tool of an MCP server. The model sees the server's description, but Rondo doesn't trust it: every call is
 * checked and none is retried automatically.
 */
export function createMcpTool(server: McpServer, config: McpServerConfig, definition: McpToolDefinition): Tool {
  const name = mcpToolName(server.name, definition.name);
  return {
    name,
    description: (definition.description ?? definition.title ?? definition.name).slice(0, LONGEST_DESCRIPTION),
    parameters: { ...definition.inputSchema },
    describe: (args) => {
      if (!isJsonObject(args))
        return problemFacts('invalid-arguments', `The arguments of ${name} must be an object.`);
      return {
        access: isStdio(config) ? 'execute' : 'network',
        grants: [name],
        repeat: 'never',
        order: definition.annotations?.readOnlyHint === true ? 'parallel' : 'exclusive',
        runs: 'tool',
      };
    },
    run: async (args, context) => {
      if (!isJsonObject(args)) return failure('invalid-arguments', `The arguments of ${name} must be an object.`);
      const progress = limitedProgress(context.progress);
      const answer = await server.use({
        signal: context.signal,
        caller: { ...context, progress },
        ask: (client, options) =>
          client.callTool(
            { name: definition.name, arguments: args },
            { ...options, onprogress: (report) => progress(progressLine(report)) },
          ),
      });
      if (answer.type === 'cancelled') return { type: 'cancelled' };
      if (answer.type === 'failed')
        return failure(answer.code, answer.message, { retryable: answer.code === 'mcp-unavailable' });
      return resultOf(answer.value);
    },
  };
}

/**
 * `mcp__<server>__<tool>`, in characters that providers accept, unique per server and tool. A name gets a marker if
 * it was cut or changed, is ambiguous, or looks like a marked name.
 */
export function mcpToolName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool}`;
  const safe = plain.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const isClear = !/__|_$/.test(server) && !/^_|__/.test(tool) && !/_[0-9a-f]{8}$/.test(tool);
  if (isClear && safe === plain && plain.length <= 64) return plain;
  const mark = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, 8);
  return `${safe.slice(0, 55)}_${mark}`;
}

/** Limits the progress of one call, because a server may report endlessly. */
function limitedProgress(progress: (text: string) => void): (text: string) => void {
  let left = LONGEST_PROGRESS;
  return (text) => {
    if (left <= 0) return;
    const line = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…\n` : text;
    left -= line.length;
    progress(left > 0 ? line : `${line}[more was left out]\n`);
  };
}

const LONGEST_PROGRESS = 200_000;
const LONGEST_LINE = 2_000;

function progressLine({ progress, total, message }: Progress): string {
  const amount = total === undefined ? String(progress) : `${progress} of ${total}`;
  return `${message ?? amount}\n`;
}

function resultOf(result: CallToolResult): ToolResult {
  const text = capText(result.content.map(blockText).join('\n'), LONGEST_OUTPUT);
  if (result.isError === true)
    return failure('mcp-error', text === '' ? 'The tool reported an error without a message.' : text);
  const { structuredContent } = result;
  const problem = jsonProblem(structuredContent);
  if (problem !== undefined)
    return failure('mcp-error', `The tool’s structured result can’t be read: ${problem.slice(0, 200)}.`);
  return {
    type: 'success',
    output:
      text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent, undefined, 2) : text,
    ...optional({ data: structuredContent }),
  };
}

export function blockText(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${Math.floor(block.data.length * 0.75)} bytes]`;
    case 'resource_link':
      return `[resource ${block.uri}${block.name === '' ? '' : ` (${block.name})`}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`;
  }
}
