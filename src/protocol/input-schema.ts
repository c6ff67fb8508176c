/** Session inputs that clients may send over HTTP and WebSocket. Importing this file loads zod. */
import { z } from 'zod';

import { limitKinds, type Limits } from '../kernel/limits.ts';
import { optional } from '../kernel/optional.ts';
import type { Answer } from '../kernel/question.ts';
import type { Rule } from '../kernel/rule.ts';

const name = z.string().min(1).max(200);
const line = z.string().min(1).max(2000);
const count = z.int().min(0);
const delivery = z.enum(['steer', 'queue']);

export const sessionId = z.string().regex(/^ses_[A-Za-z0-9]+$/, 'must be the id of a session: ses_…');
export const questionId = z.string().regex(/^q_[A-Za-z0-9]+$/, 'must be the id of a question: q_…');
export const idempotencyKey = z.string().min(1).max(200);

const attachment = z.strictObject({ name, mediaType: name, content: z.string() });

const limitNumbers = { count, amount: z.number().positive(), share: z.number().positive().max(1) };
const limitsSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(limitKinds).map(([name, kind]) => [name, limitNumbers[kind].exactOptional()]),
  ) as Record<keyof Limits, z.ZodExactOptional<z.ZodNumber>>,
);

/** A model's name. `scripted:FILE` reads a file on the server and is reserved for its command line. */
export const modelName = name.refine((given) => !/^\s*scripted:/i.test(given), {
  message: "scripted models only work on the server's command line",
});

export const createSchema = z
  .strictObject({
    agent: name.exactOptional(),
    mode: name.exactOptional(),
    cwd: z.string().min(1).max(4096).exactOptional(),
    worktree: z
      .union([z.boolean(), name])
      .exactOptional()
      .describe('Work in a git worktree: a new one, or that one.'),
    repository: z
      .strictObject({
        url: z.string().min(1).max(2000),
        ref: name.exactOptional().describe('Branch, tag or commit.'),
        folder: z.string().min(1).max(1000).exactOptional(),
        push: z.boolean().exactOptional().describe("Push the result's branch. Default: true."),
      })
      .exactOptional()
      .describe('Work on a clone of this repository. Needs the owner role.'),
    title: z.string().max(200).exactOptional(),
    limits: limitsSchema.exactOptional(),
    model: modelName.exactOptional(),
    parent: sessionId.exactOptional(),
  })
  .describe('A new session. Everything has a default.');

export const continueSchema = createSchema
  .pick({ agent: true, mode: true, cwd: true, limits: true, model: true })
  .describe(
    'What an imported session acts with from now on, or the folder of a session whose machine is gone. Everything has a default.',
  );

const queueChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('edited'), prompt: count, text: z.string().min(1) }),
  z.strictObject({ type: z.literal('moved'), prompt: count, to: count }),
  z.strictObject({ type: z.literal('removed'), prompt: count }),
  z.strictObject({ type: z.literal('cleared') }),
  z.strictObject({ type: z.literal('paused') }),
  z.strictObject({ type: z.literal('resumed') }),
]);

const rule = z.strictObject({
  verdict: z.enum(['allow', 'ask', 'deny']),
  tool: name,
  pattern: z.string().min(1).max(2000).exactOptional(),
});

const ruleText = z.string().min(1).max(10_000);

const taskCall = z.strictObject({
  id: name,
  command: name,
  args: z.unknown().optional(),
  after: z.array(name).exactOptional(),
  priority: z.int().exactOptional(),
});

export const agentSettingSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('mode'), mode: name }),
    z.strictObject({
      type: z.literal('option'),
      option: name,
      value: z.union([z.string().max(1000), z.boolean()]),
    }),
  ])
  .describe(
    "One of an external agent's own modes or options, as `agentSettings` of the session's status offers them.",
  );

export const inputSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('chat'),
      text: z.string().min(1),
      delivery: delivery.exactOptional(),
      attachments: z.array(attachment).max(20).exactOptional(),
    }),
    z.strictObject({
      type: z.literal('task'),
      command: name,
      args: z.unknown().optional(),
      delivery: delivery.exactOptional(),
    }),
    z.strictObject({
      type: z.literal('tasks'),
      calls: z.array(taskCall).min(1).max(100),
      delivery: delivery.exactOptional(),
    }),
    z.strictObject({ type: z.literal('compact'), keep: z.string().min(1).max(4000).exactOptional() }),
    z.strictObject({ type: z.literal('interrupt'), reason: line.exactOptional() }),
    z.strictObject({ type: z.literal('retry-now') }),
    z.strictObject({ type: z.literal('queue'), change: queueChange }),
    z.strictObject({ type: z.literal('agent'), agent: name, model: modelName.exactOptional() }),
    z.strictObject({ type: z.literal('title'), title: z.string().min(1).max(200) }),
    z.strictObject({ type: z.literal('mode'), mode: name }),
    z.strictObject({ type: z.literal('agent-setting'), setting: agentSettingSchema }),
    z.strictObject({ type: z.literal('policy'), rules: z.array(rule).max(1000) }),
    z.strictObject({
      type: z.literal('rules'),
      add: z.array(rule).max(1000).exactOptional(),
      remove: z.array(ruleText).max(1000).exactOptional(),
      revoke: z.array(ruleText).max(1000).exactOptional(),
    }),
    z.strictObject({ type: z.literal('limits'), limits: limitsSchema }),
    z.strictObject({ type: z.literal('close'), reason: line.exactOptional() }),
    z.strictObject({ type: z.literal('custom'), name, data: z.unknown().optional() }),
  ])
  .describe('One input to a session.');

export const answerSchema = z
  .union(
    [
      z.strictObject({
        choice: z.enum(['allow-once', 'allow-session', 'allow-always', 'reject']),
        reason: line.exactOptional(),
      }),
      z.strictObject({
        edited: z.record(z.string(), z.unknown()).describe('Runs the call once, with these arguments instead.'),
      }),
      z.strictObject({ option: z.string().min(1).max(2000) }),
      z.strictObject({ text: z.string().min(1) }),
      z.strictObject({ form: z.unknown() }),
    ],
    {
      error:
        'an answer is one of {"choice":"allow-once|allow-session|allow-always|reject"}, {"edited":{…}}, {"option":…}, {"text":…}, {"form":…}',
    },
  )
  .describe('An approval has a choice, a clarification an option or a text, a form its values.');

/** The options of a new session on the wire. */
export type WireCreate = z.infer<typeof createSchema>;
/** The options for continuing an imported session on the wire. */
export type WireContinue = z.infer<typeof continueSchema>;
/** An input on the wire. */
export type WireInput = z.infer<typeof inputSchema>;
/** An answer on the wire. */
export type WireAnswer = z.infer<typeof answerSchema>;

export function answerOfWire(wire: WireAnswer): Answer {
  if ('option' in wire) return { type: 'option', option: wire.option };
  if ('edited' in wire) return { type: 'allow-edited', args: JSON.stringify(wire.edited) };
  if ('text' in wire) return { type: 'text', text: wire.text };
  if ('form' in wire) return { type: 'form', form: wire.form };
  if (wire.choice !== 'reject') return { type: wire.choice };
  return { type: 'reject', ...optional({ reason: wire.reason }) };
}

/** Rules from the wire belong to the session. */
export function rulesFrom(rules: Extract<WireInput, { type: 'policy' }>['rules']): readonly Rule[] {
  return rules.map((wire) => ({ ...wire, origin: 'session' }));
}

/** The first issue with its path: `input.text: must be …`. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined) return 'it does not have the right form';
  const place = issue.path.map(String).join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}
