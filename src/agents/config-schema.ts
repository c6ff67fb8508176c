/**
 * What `rondo.json` may say. The one source of the checks, of the type `Config` and of the published
 * JSON Schema. Importing this file loads zod (some 70 ms): import it as a type, or where there is a file
 * to check.
 */
import { z } from 'zod';

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

const limitNumbers = { count, amount, share: z.number().positive().max(1) };
const limitShape = Object.fromEntries(
  Object.entries(limitKinds).map(([name, kind]) => [name, limitNumbers[kind].exactOptional()]),
) as Record<keyof Limits, z.ZodExactOptional<z.ZodNumber>>;

const limits = z.strictObject(limitShape).describe('Hard limits of a turn and a session.');

const endpoint = z
  .strictObject({
    type: z.enum(['anthropic', 'openai', 'openai-compatible', 'google', 'amazon-bedrock']),
    baseUrl: address.exactOptional(),
    apiKey: z.string().exactOptional().describe('Better `${NAME}` or `apiKeyFile` than the key itself.'),
    apiKeyFile: text.exactOptional().describe('A file that holds the key and that only you can read (mode 0600).'),
    headers: environment.exactOptional(),
    region: text.exactOptional(),
    profile: text.exactOptional(),
    concurrency: z.int().positive().exactOptional().describe('Calls at a time.'),
    requestsPerMinute: amount.exactOptional(),
    tokensPerMinute: amount.exactOptional(),
  })
  .describe('Where models are served.');

const model = z
  .strictObject({
    endpoint: text.describe('A name in `endpoints`, or a built-in endpoint.'),
    model: text.describe("The endpoint's own name for the model."),
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
    fallbacks: z
      .array(text)
      .min(1)
      .exactOptional()
      .describe('Models to use, in order, when this one is unavailable.'),
  })
  .describe('A model under a name of your own.');

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
  .describe('Which tools the agent may use at all; enforced, not only shown to the model.');

const agentShape = {
  description: text.exactOptional(),
  model: text.exactOptional().describe('A name in `models`, or `endpoint/model`.'),
  endpoint: text.exactOptional().describe("With it `model` is this endpoint's own name for the model."),
  tools: tools.exactOptional(),
  policy: z
    .union([text, z.array(text).min(1)])
    .exactOptional()
    .describe('Policies that hold for this agent besides `default`.'),
  limits: limits.exactOptional(),
  mode: z.enum(Object.keys(modes) as [ModeName, ...ModeName[]]).exactOptional(),
  theme: text.exactOptional(),
  resources: z.array(text).exactOptional().describe('Files of the project, by glob, read anew for every request.'),
  understand: z.enum(['rules', 'model']).exactOptional().describe('How the intent of a prompt is worked out.'),
  compile: z.boolean().exactOptional().describe('Compile prompt and tools for each turn from its intent.'),
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
    type: z.enum(['stdio', 'http', 'sse']).exactOptional(),
    ...process,
    cwd: text.exactOptional(),
    url: address.exactOptional(),
    headers: environment.exactOptional(),
    timeout: amount.exactOptional().describe('Milliseconds a request may take.'),
    disabled: z.boolean().exactOptional(),
    scope: z.enum(['shared', 'session']).exactOptional().describe('One for all sessions, or one each.'),
    hosts: z
      .array(host)
      .exactOptional()
      .describe("The hosts that a project's server may reach from its sandbox, on port 443."),
    folders: z
      .array(text)
      .exactOptional()
      .describe("The folders that a project's server sees in its sandbox besides the session's."),
  })
  .refine((server) => (server.command === undefined) !== (server.url === undefined), {
    message: 'needs either "command" (a local server) or "url" (a remote one)',
  });

const color = z
  .string()
  .regex(/^(#[0-9a-fA-F]{6}|(bright-)?(black|red|green|yellow|blue|magenta|cyan|white)|none)$/, 'is no colour');

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
      .describe('What stands before the line that is typed.'),
  })
  .describe('Colours: `#rrggbb` or one of the sixteen names.');

const sandboxLevel = z.enum(['auto', 'container', 'none', 'workspace', 'workspace-no-network']);
export const configSchema = z
  .strictObject({
    $schema: z.string().exactOptional(),
    defaultAgent: text.exactOptional().describe('The agent of a session that names none.'),
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
    ).describe('The policy called `default` holds for every session; others where an agent names them.'),
    themes: named(theme),
    limits: limits.exactOptional(),
    store: text.exactOptional().describe('`sqlite:PATH` or `memory:`.'),
    server: z
      .strictObject({
        host: text.exactOptional(),
        port: z.int().min(0).max(65_535).exactOptional(),
        origins: z.array(text).exactOptional().describe('Other origins whose pages may connect.'),
        maxMemoryMB: z
          .int()
          .min(1)
          .exactOptional()
          .describe('Above so much memory of its own `rondo serve` takes in no new sessions and connections.'),
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
                    'The only hosts that can be reached, on port 443: `example.org`, `*.example.org`. Each can carry data out.',
                  ),
              })
              .refine(({ level, network }) => network === undefined || level === 'workspace' || level === 'auto', {
                path: ['network'],
                message: 'goes with "level": "auto" or "workspace" only',
              }),
          ])
          .exactOptional()
          .describe(
            'How far commands may reach. `auto` (default): confined to the project without network where bubblewrap works.',
          ),
        webSearch: z
          .strictObject({
            url: text.describe('`{query}` and `{count}` stand for what is sought. The answer is JSON.'),
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
          .describe('Names of your own environment variables that it may see; a trailing * stands for the rest.'),
        agentMode: text.exactOptional().describe('The mode of its own that its sessions are opened in.'),
        agentOptions: z.record(z.string(), z.union([z.string(), z.boolean()])).exactOptional(),
        authMethod: text.exactOptional().describe('How to log in when it asks for it, by its own name for it.'),
      }),
    ).describe('External agents that speak the Agent Client Protocol on standard input and output.'),
    worktrees: z
      .strictObject({
        folder: text.exactOptional(),
        branchPrefix: text.exactOptional(),
        copy: z.array(text).exactOptional().describe('Files that git ignores and a new worktree needs, by glob.'),
        setUp: z.array(text).exactOptional().describe('Commands run in a new worktree.'),
        atEnd: z.enum(['keep', 'commit', 'remove']).exactOptional(),
      })
      .exactOptional(),
    retention: z
      .strictObject({
        olderThanDays: amount.exactOptional().describe('Sessions in which nothing happened for so long.'),
        largerThanMB: amount.exactOptional().describe('Sessions whose journal takes more than this.'),
        states: z
          .array(z.enum(['idle', 'closed']))
          .min(1)
          .exactOptional(),
        action: z.enum(['archive', 'delete']).describe('Archived sessions are bundles that can be imported.'),
      })
      .refine(
        ({ olderThanDays, largerThanMB, states }) => (olderThanDays ?? largerThanMB ?? states) !== undefined,
        { message: 'needs olderThanDays, largerThanMB or states' },
      )
      .exactOptional()
      .describe('Which sessions `rondo serve` lets go, once a day. What has open work stays.'),
    checkpoints: z
      .boolean()
      .exactOptional()
      .describe(
        'False: files are not kept before a turn changes them, so a rewind takes back the conversation alone.',
      ),
  })
  .describe('Configuration of Rondo.');

/** The front matter of an agent's Markdown file; its prompt is the text below. */
export const agentFileSchema = z
  .strictObject({ name: text.exactOptional(), ...agentShape })
  .refine(hasModel, modelBesideEndpoint);

export type Config = DeepReadonly<z.infer<typeof configSchema>>;
export type AgentEntry = NonNullable<Config['agents']>[string];
export type AgentFileEntry = DeepReadonly<z.infer<typeof agentFileSchema>>;
export type EndpointEntry = NonNullable<Config['endpoints']>[string];
export type ModelEntry = NonNullable<Config['models']>[string];

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
