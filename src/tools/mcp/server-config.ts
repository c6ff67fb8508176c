import { z } from 'zod';

/**
 * One entry of `mcpServers`, in the format that other tools use. `timeout` applies to one call, in milliseconds.
 * `shared` servers serve all sessions of a process; others belong to one session.
 */
const common = {
  disabled: z.boolean().optional(),
  timeout: z.int().min(100).max(3_600_000).optional(),
  shared: z.boolean().optional(),
  includeTools: z.array(z.string()).optional(),
  excludeTools: z.array(z.string()).optional(),
};

const stdioServer = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().min(1).optional(),
  /** In a sandbox: the hosts it may reach, and the folders it sees in addition to the session's. */
  hosts: z.array(z.string()).optional(),
  folders: z.array(z.string()).optional(),
  ...common,
});

const httpServer = z.looseObject({
  type: z.enum(['http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  oauth: z
    .looseObject({
      clientId: z.string().optional(),
      clientSecret: z.string().optional(),
      scopes: z.array(z.string()).optional(),
      callbackPort: z.int().min(1).max(65_535).optional(),
    })
    .optional(),
  ...common,
});

const mcpServerConfig = z.union([stdioServer, httpServer]);
export const mcpServersConfig = z.record(
  z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'a server name has letters, digits, - and _ only'),
  mcpServerConfig,
);

export type McpServerConfig = z.output<typeof mcpServerConfig>;
export type McpServersConfig = z.output<typeof mcpServersConfig>;
type McpStdioConfig = z.output<typeof stdioServer>;
export type McpHttpConfig = z.output<typeof httpServer>;

export function isStdio(config: McpServerConfig): config is McpStdioConfig {
  return 'command' in config;
}
