/**
 * The schema of `rondo.json`, and the only source of its checks, of the type `Config` and of the published JSON
 * Schema. Importing this file loads zod (about 70 ms), so import it as a type, or only when there is a file to
 * check.
 */
import { z } from 'zod';

import { isLabel } from '../kernel/agent.ts';
import { limitKinds, type Limits } from '../kernel/limits.ts';
import { modes, type ModeName } from '../kernel/mode.ts';

const text = z.string().min(1);
const count = z.int().min(0);
const amount = z.number().positive();
const ruleTexts = z.array(text).describe('Rules: `tool` or `tool(pattern)`, such as `shell(git status*)`.');
const address = z.string().regex(/^(https?:\/\/|\$\{)/, 'must start with http:// or https://');
const environment = z.record(z.string(), z.string());
const name = z.string().regex(/^[A-Za-z0-9][\w.:/-]*$/, 'must be letters, digits and . _ : / -');
const named = <T extends z.ZodType>(entry: T) => z.record(name, entry).exactOptional();

const labels = z.array(z.string().refine(isLabel, 'must be letters, digits and . = / - _'));
const needs = labels
  .exactOptional()
  .describe('Labels that a machine must offer (`server.labels`), such as `docker`. Others refuse the session.');

const limitNumbers = { count, amount, share: z.number().positive().max(1) };
const limitShape = Object.fromEntries(
  Object.entries(limitKinds).map(([name, kind]) => [name, limitNumbers[kind].exactOptional()]),
) as Record<keyof Limits, z.ZodExactOptional<z.ZodNumber>>;

const limits = z.strictObject(limitShape).describe('Hard limits of a turn and a session.');

const endpoint = z
  .strictObject({
    type: z.enum(['anthropic', 'openai', 'openai-compatible', 'google', 'amazon-bedrock']),
    baseUrl: address.exactOptional(),
    apiKey: z.string().exactOptional().describe('Use `${NAME}` or `apiKeyFile` instead of the key itself.'),
    apiKeyFile: text.exactOptional().describe('File with the key, readable only by you (mode 0600).'),
    headers: environment.exactOptional(),
    region: text.exactOptional(),
    profile: text.exactOptional(),
    concurrency: z.int().positive().exactOptional().describe('Maximum concurrent calls.'),
    requestsPerMinute: amount.exactOptional(),
    tokensPerMinute: amount.exactOptional(),
  })
  .describe('Model servers.');

const model = z
  .strictObject({
    endpoint: text.describe('A name in `endpoints`, or a built-in endpoint.'),
    model: text.describe("The model's name at the endpoint."),
    streaming: z.boolean().exactOptional(),
    maxTokens: z.int().positive().exactOptional(),
    temperature: z.number().min(0).max(2).exactOptional(),
    contextTokens: z.int().positive().exactOptional(),
    price: z
      .strictObject({
        input: z.number().min(0),
        output: z.number().min(0),
        cachedInput: z.number().min(0).exactOptional(),
      })
      .exactOptional()
      .describe('US dollars per million tokens.'),
    fallbacks: z.array(text).min(1).exactOptional().describe('Fallback models, in order.'),
  })
  .describe('A named model.');

const process = {
  command: text.exactOptional(),
  args: z.array(z.string()).exactOptional(),
  env: environment.exactOptional(),
};

const tools = z
  .union([
    z.enum(['none', 'all']),
    z.strictObject({ only: z.array(text).min(1) }),
    z.array(text).min(1).describe('Short for `only`.'),
  ])
  .describe('Tools the agent may use. Enforced, not only hidden from the model.');

const agentShape = {
  description: text.exactOptional(),
  model: text.exactOptional().describe('A name in `models`, or `endpoint/model`.'),
  endpoint: text.exactOptional().describe("If set, `model` is the model's name at this endpoint."),
  tools: tools.exactOptional(),
  policy: z
    .union([text, z.array(text).min(1)])
    .exactOptional()
    .describe('Policies for this agent, in addition to `default`.'),
  limits: limits.exactOptional(),
  mode: z.enum(Object.keys(modes) as [ModeName, ...ModeName[]]).exactOptional(),
  theme: text.exactOptional(),
  resources: z.array(text).exactOptional().describe('Project files by glob, read for every request.'),
  understand: z.enum(['rules', 'model']).exactOptional().describe('How Rondo determines the intent of a prompt.'),
  needs,
  compile: z.boolean().exactOptional().describe('Compile prompt and tools of each turn from its intent.'),
  ...process,
};

const modelBesideEndpoint = { path: ['endpoint'], message: 'needs "model" beside it' };

function hasModel(agent: { readonly endpoint?: string; readonly model?: string }): boolean {
  return agent.endpoint === undefined || agent.model !== undefined;
}

const agent = z
  .strictObject({ ...agentShape, prompt: text.exactOptional().describe('A name in `prompts`.') })
  .refine(hasModel, modelBesideEndpoint);

const host = z
  .string()
  .regex(
    /^(?!.*\.\d+$)(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/,
    'must be a host such as example.org or *.example.org; it is reached on port 443',
  );

const mcpServer = z
  .strictObject({
    type: z.enum(['stdio', 'http', 'streamable-http', 'sse']).exactOptional(),
    ...process,
    cwd: text.exactOptional(),
    url: address.exactOptional(),
    headers: environment.exactOptional(),
    oauth: z
      .strictObject({
        clientId: text.exactOptional().describe('Default: Rondo registers itself with the server.'),
        clientSecret: text.exactOptional(),
        scopes: z.array(text).exactOptional().describe('Rights to ask for in addition.'),
        callbackPort: z
          .int()
          .min(1)
          .max(65_535)
          .exactOptional()
          .describe('Loopback port that the login returns to (default: any).'),
      })
      .exactOptional()
      .describe('Settings of `rondo mcp login` for a remote server.'),
    timeout: amount.exactOptional().describe('Request timeout in milliseconds.'),
    includeTools: z.array(text).exactOptional().describe("The server's tools that may be used (default: all)."),
    excludeTools: z.array(text).exactOptional().describe("The server's tools that may not be used."),
    needs,
    disabled: z.boolean().exactOptional(),
    scope: z
      .enum(['shared', 'session'])
      .exactOptional()
      .describe('One server for all sessions, or one per session.'),
    hosts: z
      .array(host)
      .exactOptional()
      .describe("Hosts that a project's server may reach from its sandbox, on port 443."),
    folders: z
      .array(text)
      .exactOptional()
      .describe("Additional folders that a project's server sees in its sandbox."),
  })
  .refine((server) => (server.command === undefined) !== (server.url === undefined), {
    message: 'needs either "command" (a local server) or "url" (a remote one)',
  });

const color = z
  .string()
  .regex(/^(#[0-9a-fA-F]{6}|(bright-)?(black|red|green|yellow|blue|magenta|cyan|white)|none)$/, 'is not a color');

const theme = z
  .strictObject({
    accent: color.exactOptional(),
    user: color.exactOptional(),
    agent: color.exactOptional(),
    tool: color.exactOptional(),
    quiet: color.exactOptional(),
    warning: color.exactOptional(),
    error: color.exactOptional(),
    prompt: z
      .string()
      .regex(/^[^\p{Cc}]{1,12}$/u, 'must be one to twelve characters that can be shown')
      .exactOptional()
      .describe('The input prompt.'),
  })
  .describe('Colors: `#rrggbb` or one of the sixteen names.');

const sandboxLevel = z.enum(['auto', 'container', 'none', 'workspace', 'workspace-no-network']);
export const configSchema = z
  .strictObject({
    $schema: z.string().exactOptional(),
    defaultAgent: text.exactOptional().describe('Agent for sessions that do not name one.'),
    endpoints: named(endpoint),
    models: named(model),
    agents: named(agent),
    prompts: named(z.union([text, z.strictObject({ file: text })])),
    policies: named(
      z.strictObject({
        allow: ruleTexts.exactOptional(),
        ask: ruleTexts.exactOptional(),
        deny: ruleTexts.exactOptional(),
      }),
    ).describe('The policy `default` applies to every session, others to agents that name them.'),
    themes: named(theme),
    limits: limits.exactOptional(),
    store: text.exactOptional().describe('`sqlite:PATH`, `postgres://…`, `nats://…` or `memory:`.'),
    server: z
      .strictObject({
        host: text.exactOptional(),
        port: z.int().min(0).max(65_535).exactOptional(),
        origins: z.array(text).exactOptional().describe('Additional origins whose pages may connect.'),
        node: text.exactOptional().describe('Name among the servers on one store.'),
        advertise: text.exactOptional().describe('Address at which other nodes reach this server.'),
        labels: labels
          .exactOptional()
          .describe('What this machine offers, such as `gpu` or `docker`. Agents and tools can need it.'),
        publicUrl: text
          .exactOptional()
          .describe('The one address of all nodes, usually of a load balancer. Browsers sign in to it.'),
        maxMemoryMB: z
          .int()
          .min(1)
          .exactOptional()
          .describe('Memory above which `rondo serve` refuses new sessions and connections.'),
      })
      .exactOptional(),
    tools: z
      .strictObject({
        sandbox: z
          .union([
            sandboxLevel,
            z
              .strictObject({
                level: sandboxLevel,
                network: z
                  .array(host)
                  .min(1)
                  .exactOptional()
                  .describe(
                    'The only reachable hosts, on port 443: `example.org`, `*.example.org`. Each can carry data out.',
                  ),
              })
              .refine(({ level, network }) => network === undefined || level === 'workspace' || level === 'auto', {
                path: ['network'],
                message: 'only applies with "level": "auto" or "workspace"',
              }),
          ])
          .exactOptional()
          .describe(
            'How far commands may reach. `auto` (default): confined to the project without network where bubblewrap works.',
          ),
        webSearch: z
          .strictObject({
            url: text.describe('URL with `{query}` and `{count}`. The response is JSON.'),
            headers: environment.exactOptional(),
          })
          .exactOptional()
          .describe('The service behind the tool web_search.'),
      })
      .exactOptional(),
    mcpServers: named(mcpServer),
    acpAgents: named(
      z.strictObject({
        ...process,
        command: text,
        description: text.exactOptional(),
        envAllowed: z
          .array(text)
          .exactOptional()
          .describe('Environment variables that it may see. A trailing * matches the rest of a name.'),
        agentMode: text.exactOptional().describe("The agent's own mode for new sessions."),
        agentOptions: z.record(z.string(), z.union([z.string(), z.boolean()])).exactOptional(),
        needs,
        authMethod: text.exactOptional().describe("The agent's authentication method, by its id."),
        without: z
          .array(z.enum(['fs', 'terminal', 'forms']))
          .exactOptional()
          .describe('Client services that the agent handles badly, so Rondo offers it none of these.'),
      }),
    ).describe('External agents that speak the Agent Client Protocol over standard input and output.'),
    worktrees: z
      .strictObject({
        folder: text.exactOptional(),
        branchPrefix: text.exactOptional(),
        copy: z.array(text).exactOptional().describe('Globs of ignored files to copy into a new worktree.'),
        setUp: z.array(text).exactOptional().describe('Commands to run in a new worktree or clone.'),
        atEnd: z.enum(['keep', 'commit', 'remove']).exactOptional(),
      })
      .exactOptional(),
    retention: z
      .strictObject({
        olderThanDays: amount.exactOptional().describe('Sessions without activity for this long.'),
        largerThanMB: amount.exactOptional().describe('Sessions with a larger journal.'),
        states: z
          .array(z.enum(['idle', 'closed']))
          .min(1)
          .exactOptional(),
        action: z.enum(['archive', 'delete']).describe('Archived sessions are bundles for `rondo import`.'),
      })
      .refine(
        ({ olderThanDays, largerThanMB, states }) => (olderThanDays ?? largerThanMB ?? states) !== undefined,
        { message: 'needs olderThanDays, largerThanMB or states' },
      )
      .exactOptional()
      .describe('Sessions that `rondo serve` archives or deletes once a day. Sessions with open work stay.'),
    checkpoints: z
      .boolean()
      .exactOptional()
      .describe(
        "False: Rondo doesn't save files before a turn changes them, so a rewind only covers the conversation.",
      ),
  })
  .describe('Rondo configuration.');

/** The front matter of an agent's Markdown file. */
export const agentFileSchema = z
  .strictObject({ name: text.exactOptional(), ...agentShape })
  .refine(hasModel, modelBesideEndpoint);

export type Config = DeepReadonly<z.infer<typeof configSchema>>;
export type AgentConfigEntry = NonNullable<Config['agents']>[string];
export type AgentFileEntry = DeepReadonly<z.infer<typeof agentFileSchema>>;
export type EndpointEntry = NonNullable<Config['endpoints']>[string];
export type ConfiguredModel = NonNullable<Config['models']>[string];

export type JsonSchema = { readonly [key: string]: unknown };

/** The published schema of `rondo.json`, for editors and `rondo config schema`. */
export function configJsonSchema(): JsonSchema {
  return {
    ...z.toJSONSchema(configSchema),
    title: 'Rondo configuration',
    allowComments: true,
    allowTrailingCommas: true,
  };
}

export function agentFileJsonSchema(): JsonSchema {
  return { ...z.toJSONSchema(agentFileSchema), title: 'Front matter of a Rondo agent' };
}

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
