import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

import type { Intent } from '../intent/words/intent.ts';
import { loadExtensions } from '../intent/project/load-extensions.ts';
import type { ModeName } from '../kernel/mode.ts';
import { createTestingModel } from '../models/testing-model.ts';
import { createRondo } from '../rondo.ts';
import type { Model } from '../ports/model.ts';
import { testTool } from '../testing/test-tool.ts';
import { defaultAgents } from './agents/configured-agents.ts';
import { createTurnCompilation } from './agents/turn-compilation.ts';

/** An executor on the offline model, in a folder with one file. */
async function setUp(mode: ModeName) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-executor-'));
  await writeFile(path.join(folder, 'tea.md'), '# Tea\n\nPours tea.\n');
  const rondo = await createRondo();
  const executor = await rondo.executor({ cwd: folder, model: 'offline', mode });
  return {
    executor,
    async [Symbol.asyncDispose]() {
      await rondo.close();
      await rm(folder, { recursive: true });
    },
  };
}

test('[C104] an unclear prompt is asked about once, with options, as an ordinary question; the answer decides', async () => {
  await using place = await setUp('interactive');
  const { executor } = place;
  const asked = await executor.process('tee.md');
  if (asked.runs !== 'inline') throw new Error('it was handed on');
  expect(asked.unclear).toEqual({
    text: 'There is no tee.md. Which file do you mean?',
    options: ['tea.md', 'tee.md, as I wrote it'],
    taken: 'open',
  });
  expect(asked.reply.outcome).toBe('needs-input');
  expect(asked.reply.questions.map(({ about }) => about)).toEqual([
    {
      type: 'clarification',
      text: 'There is no tee.md. Which file do you mean?',
      options: ['tea.md', 'tee.md, as I wrote it'],
    },
  ]);
  const question = asked.reply.questions[0]?.id ?? '';
  const answered = await executor.answer(question, { type: 'option', option: 'tea.md' });
  expect(answered).toMatchObject({ outcome: 'completed', questions: [] });
  expect(answered.text).toContain('Pours tea.');
  const again = await executor.answer(question, { type: 'option', option: 'tea.md' });
  expect(again.refusal?.code).toBe('conflict');
});

test('[C104] uses the best guess if nobody can be asked, and marks it as a guess', async () => {
  await using place = await setUp('batch');
  const done = await place.executor.process('tee.md');
  expect(done.unclear).toEqual({
    text: 'There is no tee.md. Which file do you mean?',
    options: ['tea.md', 'tee.md, as I wrote it'],
    taken: 'guessed',
  });
  expect(done.runs === 'inline' && done.reply.questions).toEqual([]);
});

test('a clear prompt is not asked about', async () => {
  await using place = await setUp('interactive');
  const done = await place.executor.process('read tea.md');
  expect(done.unclear).toBeUndefined();
  expect(done.runs === 'inline' && done.reply.text).toContain('Pours tea.');
});

test("[C104] the executor applies a project's rules", async () => {
  const verbs =
    '{ "verbs": { "deploy": { "category": "mutation", "persona": "coder", "priority": 96, "patterns": ["^deploy\\\\b"] } } }';
  const files = new Map([['.rondo/intent/verbs.json', { hash: '', text: verbs }]]);
  const added = await loadExtensions({ files });
  if (added.type === 'invalid') throw new Error('the verbs were not read');
  const agents = defaultAgents({ home: os.tmpdir(), now: () => 0 });
  await using rondo = await createRondo({
    agents: { ...agents, turns: async () => createTurnCompilation(added.sources) },
    models: { testing: createTestingModel() },
    tools: [],
  });
  const executor = await rondo.executor({ model: 'testing', mode: 'batch' });
  const { intent } = await executor.process('deploy the shop');
  expect(intent.verb).toBe('deploy');
  await using shipped = await createRondo({ models: { testing: createTestingModel() }, tools: [] });
  const other = await shipped.executor({ model: 'testing', mode: 'batch' });
  expect((await other.process('deploy the shop')).intent.verb).not.toBe('deploy');
});

test("[C150] an executor uses a program's transducer, config factory and prompt compiler", async () => {
  const systems: string[] = [];
  const model: Model = {
    name: 'heard',
    async call({ system, messages }) {
      systems.push(system);
      const isFirst = messages.at(-1)?.role === 'user';
      const calls = isFirst ? [{ id: 'c1', tool: 'ship', args: '{}' }] : [];
      const usage = { inputTokens: 1, outputTokens: 1, cost: 0 };
      return { type: 'completed', text: isFirst ? '' : 'Done.', calls, usage, stop: isFirst ? 'calls' : 'end' };
    },
  };
  await using rondo = await createRondo({
    agents: { ada: { prompt: 'You are Ada.', model: 'heard' } },
    models: { heard: model },
    tools: [testTool('ship', () => 'shipped')],
  });
  const deploy: Intent = {
    category: 'mutation',
    verb: 'deploy',
    confidence: 1,
    ambiguity: [],
    steps: [],
    readOnly: false,
    scope: 'unsaid',
    by: 'program',
  };
  const seen: string[] = [];
  const withTools = async (tools: readonly string[]) => {
    const executor = await rondo.executor({
      transducer: (text, builtIn) => (text.startsWith('ship') ? deploy : builtIn()),
      configFactory: (wanted, builtIn) => {
        seen.push(wanted.verbs.join());
        return { ...builtIn(), tools, policies: [] };
      },
      promptCompiler: ({ opening }) => ({ prefix: `${opening} Compiled here.`, block: 'Deploy with care.' }),
    });
    const done = await executor.process('ship it');
    if (done.runs !== 'inline') throw new Error('it was handed on');
    return done;
  };
  const allowed = await withTools(['ship']);
  expect([allowed.intent, allowed.reply.text, allowed.reply.refusals]).toEqual([deploy, 'Done.', []]);
  expect(new Set(seen)).toEqual(new Set(['deploy']));
  expect(systems[0]).toContain('You are Ada. Compiled here.\n\n<turn>\nDeploy with care.');
  // A tool that the factory omits needs approval.
  const left = await withTools([]);
  expect([left.reply.outcome, left.reply.questions.map(({ about }) => about.type)]).toEqual([
    'needs-input',
    ['approval'],
  ]);
});
