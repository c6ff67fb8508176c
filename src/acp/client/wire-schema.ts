/** The parts of agents' messages that Rondo uses. Other fields are accepted and ignored. */
import { z } from 'zod';

const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();

const choice = z.looseObject({ id: z.string(), name: z.string().nullish() });
const selectOption = z.looseObject({ value: z.string(), name: z.string().nullish() });

const modesSchema = z
  .looseObject({ currentModeId: z.string(), availableModes: z.array(choice) })
  .nullish()
  .catch(undefined);

const configOptions = list(
  z.looseObject({
    id: z.string(),
    name: z.string().nullish(),
    currentValue: z.union([z.string(), z.boolean()]),
    options: list(z.union([selectOption, z.looseObject({ options: z.array(selectOption) })])),
  }),
).catch(undefined);

export const initializeResult = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: z.looseObject({ name: z.string(), version: z.string().nullish() }).nullish().catch(undefined),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().nullish(),
      promptCapabilities: z
        .looseObject({
          image: z.boolean().nullish(),
          audio: z.boolean().nullish(),
          embeddedContext: z.boolean().nullish(),
        })
        .nullish(),
      mcpCapabilities: z
        .looseObject({ http: z.boolean().nullish(), sse: z.boolean().nullish() })
        .nullish()
        .catch(undefined),
      sessionCapabilities: z
        .looseObject({ resume: z.unknown().optional(), close: z.unknown() })
        .partial()
        .nullish(),
    })
    .nullish(),
  authMethods: list(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      description: z.string().nullish(),
      type: z.string().nullish(),
      args: list(z.string()).catch(undefined),
      env: z.record(z.string(), z.string()).nullish().catch(undefined),
    }),
  ),
});

export const sessionResult = z
  .looseObject({ modes: modesSchema, configOptions })
  .nullish()
  .transform((value) => value ?? {});

export const newSessionResult = z.looseObject({ sessionId: z.string().min(1), modes: modesSchema, configOptions });

export const promptResult = z.looseObject({
  stopReason: z.string(),
  usage: z
    .looseObject({
      inputTokens: z.number().nullish(),
      outputTokens: z.number().nullish(),
      cachedReadTokens: z.number().nullish(),
      thoughtTokens: z.number().nullish(),
    })
    .nullish()
    .catch(undefined),
  _meta: z
    .looseObject({ quota: z.looseObject({ token_count: z.record(z.string(), z.unknown()) }).nullish() })
    .nullish()
    .catch(undefined),
});

export const permissionRequest = z.looseObject({
  toolCall: z.looseObject({
    toolCallId: z.string(),
    title: z.string().nullish(),
    name: z.string().nullish(),
    kind: z.string().nullish(),
    rawInput: z.unknown().optional(),
    content: z.unknown().optional(),
    locations: z.unknown().optional(),
  }),
  options: z.array(
    z.looseObject({
      optionId: z.string(),
      name: z.string(),
      kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
    }),
  ),
});

export const elicitationRequest = z.looseObject({
  mode: z.string(),
  message: z.string(),
  requestedSchema: z.unknown().optional(),
  url: z.string().max(8000).optional(),
  elicitationId: z.string().max(500).optional(),
});

export const elicitationCompleted = z.looseObject({ elicitationId: z.string() });

export const readFileRequest = z.looseObject({
  path: z.string().min(1),
  line: z.number().int().nonnegative().nullish(),
  limit: z.number().int().nonnegative().nullish(),
});

export const writeFileRequest = z.looseObject({ path: z.string().min(1), content: z.string() });

export const createTerminalRequest = z.looseObject({
  command: z.string().min(1),
  args: list(z.string()),
  env: list(z.looseObject({ name: z.string(), value: z.string() })),
  cwd: z.string().nullish(),
  outputByteLimit: z.number().nonnegative().nullish(),
});

export const terminalRequest = z.looseObject({ terminalId: z.string() });

export type AuthMethod = NonNullable<AgentCapabilities['authMethods']>[number];
export type AgentCapabilities = z.output<typeof initializeResult>;
export type SessionState = z.output<typeof sessionResult>;
export type PermissionRequest = z.output<typeof permissionRequest>;
