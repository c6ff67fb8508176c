import type { Command } from './command.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'show the MCP servers, their state and how to sign in',
  async run(_args, { rondo, session }) {
    return { type: 'mcp-servers', servers: await rondo.mcpServers(session?.id) };
  },
};
