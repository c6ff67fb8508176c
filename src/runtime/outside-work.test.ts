// Work outside the session: tools, external agents, files, and questions to people.
import { expect, test } from 'vitest';

import type { AgentRequest } from '../kernel/agent-request.ts';
import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import type { SessionId, QuestionId } from '../kernel/ids.ts';
import type { Answer } from '../kernel/question.ts';
import { effect } from '../testing/given.ts';
import { call } from '../testing/inputs.ts';
import { testEffort } from '../testing/test-effort.ts';
import { testTool } from '../testing/test-tool.ts';
import { ask } from './ask.ts';
import type { AgentTurn, Capabilities, Checkpoints } from './capabilities.ts';
import { createFileKeeper, type FileKeeper } from './keep-files.ts';
import { promptAgent } from './prompt-agent.ts';
import { restoreFiles } from './restore-files.ts';
import { runTool } from './run-tool.ts';

const names = { effect: effect(4), attempt: 1 };
const checkpoint: FileCheckpoint = { label: 'turn-3', at: 0, root: '/work', kept: { type: 'copies', number: 0 } };
const keepNothing: FileKeeper = {
  beforeChange: async () => undefined,
  beforeDiscard: async () => undefined,
  forget: () => undefined,
};
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test.each([
  ['read', []],
  ['write', ['a.txt']],
  ['execute', ['a.txt']],
] as const)('[C119] before a tool with access %s runs, these files are kept: %j', async (access, kept) => {
  const touched: string[] = [];
  const files: FileKeeper = {
    ...keepNothing,
    beforeChange: async (_effort, paths) => void touched.push(...paths),
  };
  const paths = [
    { path: 'a.txt', access: 'write' as const },
    { path: 'b.txt', access: 'read' as const },
  ];
  const { facts } = call('a', 'edit');
  const run = { ...call('a', 'edit'), facts: { ...facts, access, paths } };
  const tools = { get: () => testTool('edit', () => 'done'), offered: () => [] };
  const work = runTool(
    { type: 'run-tool', ...names, call: run } as never,
    { tools } as unknown as Capabilities,
    files,
  );
  expect(await work.run(testEffort().effort)).toEqual({
    type: 'tool-settled',
    ...names,
    result: { type: 'success', output: 'done' },
  });
  expect(touched).toEqual(kept);
});

test('[C30] reads long arguments from their blob, treats none as an empty object, and names a missing tool', async () => {
  const tools = {
    get: (name: string) => (name === 'echo' ? testTool('echo', (args) => JSON.stringify(args)) : undefined),
  };
  const resultOf = async (given: object) => {
    const decision = { type: 'run-tool', ...names, call: { ...call('a', 'echo'), ...given } } as never;
    const { effort } = testEffort({ read: async () => '{"long":true}' });
    const settled = await runTool(decision, { tools } as unknown as Capabilities, keepNothing).run(effort);
    return 'result' in settled ? settled.result : settled;
  };
  expect(await resultOf({ args: { blob: 'b', length: 9, preview: '' } })).toEqual({
    type: 'success',
    output: '{"long":true}',
  });
  expect(await resultOf({ args: '' })).toEqual({ type: 'success', output: '{}' });
  expect(await resultOf({ tool: 'gone' })).toEqual({
    type: 'error',
    code: 'unknown-tool',
    message: 'The tool gone is no longer available.',
  });
});

function agentWith(prompt: (turn: AgentTurn) => Promise<unknown>, files = keepNothing) {
  const managedRules = [{ verdict: 'deny', tool: 'shell', origin: 'managed' }];
  const capabilities = { agents: { prompt, answer: () => undefined }, managedRules } as unknown as Capabilities;
  return promptAgent({ type: 'prompt-agent', ...names, prompts: [2] }, capabilities, files);
}

test("[P8] the administrator's rules also judge an external agent's requests", async () => {
  const started = testEffort();
  const shell = call('a', 'shell');
  const permission = { type: 'permission', key: 'k1', call: shell } as unknown as AgentRequest;
  const danger = {
    reason: 'The managed rule shell denies this. Only an administrator can change it.',
    rule: 'managed: shell',
    severity: 'deny',
  };
  const other = { type: 'question', key: 'k2', text: 'Which?' } as unknown as AgentRequest;
  const work = agentWith(async (turn) => {
    turn.report({ type: 'message', text: 'hm' });
    turn.ask(permission);
    turn.ask(other);
    turn.withdraw('k2');
    return { type: 'completed', stop: 'end' };
  });
  expect(await work.run(started.effort)).toEqual({
    type: 'agent-turn-settled',
    ...names,
    outcome: { type: 'completed', stop: 'end' },
  });
  expect(started.delivered).toEqual([
    { type: 'agent-reported', ...names, report: { type: 'message', text: 'hm' } },
    {
      type: 'agent-asked',
      ...names,
      request: {
        ...permission,
        call: { ...shell, facts: { ...shell.facts, dangers: [danger] } },
      },
    },
    { type: 'agent-asked', ...names, request: other },
    { type: 'agent-withdrew', ...names, key: 'k2' },
  ]);
});

test('[P6] an agent whose turn is cancelled while it is prepared is not prompted', async () => {
  const started = testEffort();
  const prompted: unknown[] = [];
  const files = { ...keepNothing, beforeChange: async () => started.effort.context.cancel() };
  const work = agentWith(async (turn) => prompted.push(turn), files);
  const cancelled = { type: 'agent-turn-settled', ...names, outcome: { type: 'cancelled' } };
  expect(await work.run(started.effort)).toEqual(cancelled);
  expect(prompted).toEqual([]);
  expect(work.cancelled(started.effort)).toEqual(cancelled);
  expect(work.broke(started.effort, 'gone')).toEqual({
    type: 'agent-turn-settled',
    ...names,
    outcome: { type: 'failed', code: 'agent-failed', message: 'gone' },
  });
});

function checkpointsWith(more: Partial<Checkpoints> = {}) {
  const done: unknown[] = [];
  const checkpoints: Checkpoints = {
    take: async (_state, turn) => (done.push(['take', turn]), checkpoint),
    touch: async (_state, { label }, paths) => void done.push(['touch', label, paths]),
    takeBefore: async (_state, { label }, under) => (
      done.push(['takeBefore', label, under]),
      { ...checkpoint, label: under }
    ),
    restore: async (_state, { label }, before) => {
      done.push(['restore', label, before.label]);
      return { restored: ['a'], removed: [], blocked: [] };
    },
    ...more,
  };
  return { checkpoints, done };
}

test('[C119] files are saved once per turn, and each change names its paths', async () => {
  const { checkpoints, done } = checkpointsWith();
  const { effort, delivered } = testEffort();
  const logged: string[] = [];
  const keeper = createFileKeeper(checkpoints, { log: (_level, message) => void logged.push(message) });
  await keeper.beforeChange(effort, ['a']);
  await keeper.beforeChange(effort, []);
  await keeper.beforeChange(effort, ['b']);
  expect(done).toEqual([
    ['take', 3],
    ['touch', 'turn-3', ['a']],
    ['touch', 'turn-3', ['b']],
  ]);
  expect(delivered).toEqual([{ type: 'checkpoint-taken', checkpoint }]);
  keeper.forget('ses_1' as SessionId);
  await keeper.beforeChange(effort, []);
  expect(done.slice(3)).toEqual([['take', 3]]);
  expect(logged).toEqual([]);
});

test.each([
  ['the disk is full', ['the files could not be kept before a change']],
  [undefined, []],
])('[C119] files that cannot be kept (%s) hold nothing up', async (taken, expected) => {
  const { checkpoints, done } = checkpointsWith({ take: async () => taken });
  const { effort, delivered } = testEffort();
  const logged: string[] = [];
  const keeper = createFileKeeper(checkpoints, { log: (_level, message) => void logged.push(message) });
  await keeper.beforeChange(effort, ['a']);
  expect({ done, delivered, logged }).toEqual({ done: [], delivered: [], logged: expected });
});

test('[O10] a restore keeps what the files are, and only then restores them', async () => {
  const { checkpoints, done } = checkpointsWith();
  const { effort } = testEffort();
  const decision = { type: 'restore-files', ...names, checkpoint } as never;
  const before = { ...checkpoint, label: 'restore-4' };
  const keep = restoreFiles(decision, { checkpoints });
  expect([keep.name, await keep.run(effort)]).toEqual(['keep', { type: 'restore-prepared', ...names, before }]);
  const restore = restoreFiles({ ...(decision as object), before } as never, { checkpoints });
  expect([restore.name, await restore.run(effort)]).toEqual([
    'restore',
    {
      type: 'restore-settled',
      ...names,
      outcome: { type: 'restored', changed: '{"restored":["a"],"removed":[],"blocked":[]}' },
    },
  ]);
  expect(done).toEqual([
    ['takeBefore', 'turn-3', 'restore-4'],
    ['restore', 'turn-3', 'restore-4'],
  ]);
  const failed = (message: string) => ({
    type: 'restore-settled',
    ...names,
    outcome: { type: 'failed', message },
  });
  const refusing = checkpointsWith({ takeBefore: async () => 'no room', restore: async () => 'no right' });
  expect(await restoreFiles(decision, refusing).run(effort)).toEqual(failed('no room'));
  expect(await restoreFiles({ ...(decision as object), before } as never, refusing).run(effort)).toEqual(
    failed('no right'),
  );
  expect(await restoreFiles(decision, {}).run(effort)).toEqual(failed('session ses_1 keeps no files here'));
  expect(keep.cancelled(effort)).toEqual(failed('The restore was cancelled.'));
});

test('[P3] an approver is asked until it answers, leaves the question open or fails; the session knows how many it asks', async () => {
  const answers = [0, 1, 2].map(() => Promise.withResolvers<Answer | undefined>());
  const asking = new Map<SessionId, number>();
  const { effort, delivered, leftOpen } = testEffort();
  const logged: string[] = [];
  const capabilities = {
    approver: ({ id }: { id: string }) => answers[Number(id)]?.promise,
    logger: { log: (_level: string, message: string) => void logged.push(message) },
  } as unknown as Capabilities;
  for (const id of ['0', '1', '2'])
    ask({ type: 'ask', question: { id } } as never, effort.host, capabilities, asking);
  expect([...asking]).toEqual([['ses_1', 3]]);
  answers[0]?.resolve({ type: 'allow-once' });
  await settle();
  expect([[...asking], leftOpen()]).toEqual([[['ses_1', 2]], 0]);
  answers[1]?.resolve(undefined);
  await settle();
  expect([[...asking], leftOpen()]).toEqual([[['ses_1', 1]], 1]);
  answers[2]?.reject(new Error('the terminal is gone'));
  await settle();
  expect([[...asking], leftOpen()]).toEqual([[], 2]);
  expect(delivered).toEqual([
    { type: 'question-answered', question: '0' as QuestionId, answer: { type: 'allow-once' } },
  ]);
  expect(logged).toEqual(['the approver failed; the question stays open']);
});
