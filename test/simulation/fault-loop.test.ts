import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createTestingModel } from '../../src/models/testing-model.ts';
import type { Recorded } from '../../src/kernel/event.ts';
import { faultLoop, type FaultScenario } from '../../src/testing/fault-loop.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { recordProof } from '../proof/proof-record.ts';

const prompts = {
  work: 'call look {}\ncall change {"n":1}\nsay first part done\ncall change {"n":2}\nsay all done',
  more: 'call look {"again":true}\nsay looked again',
};

const scenario: FaultScenario = {
  model: createTestingModel,
  tools: (world) => [
    world.tool('look'),
    world.tool('change', { access: 'write', repeat: 'never', order: 'exclusive' }),
  ],
  once: ['change'],
  async run(session, acknowledge) {
    const sent = await session.send({ type: 'chat', text: prompts.work });
    if (sent.type === 'accepted') acknowledge('first part done');
    await answerAll(session, (text) => acknowledge(text));
    const more = await session.send({ type: 'chat', text: prompts.more });
    if (more.type === 'accepted') acknowledge('looked again');
    await session.wait({ whenAsked: 'return' });
  },
  finish: (session) => answerAll(session, () => undefined),
};

async function answerAll(session: Parameters<FaultScenario['finish']>[0], acknowledge: (text: string) => void) {
  for (;;) {
    const { lifecycle, questions } = await session.status();
    const [question] = questions;
    if (question !== undefined) {
      const receipt = await session.answer(question.id, { type: 'allow-once' });
      if (receipt.type === 'accepted') acknowledge(question.id);
    } else if (lifecycle === 'idle') return;
    else await session.wait({ whenAsked: 'return' });
  }
}

test('[P1] [P2] [C122] a fault at any append or effect loses nothing acknowledged and repeats nothing unrepeatable', async () => {
  const report = await faultLoop(scenario);
  recordProof({
    name: 'fault at every append and effect',
    runs: report.runs,
    faults: { 'append or effect cut': report.faults },
    lost: report.problems.length,
  });
  expect(report.problems).toEqual([]);
  expect(report.faults).toBeGreaterThan(40);
});

/** A session with a compaction, a turn that fills its window, a rewind and its undo. */
const longLife: FaultScenario = {
  ...scenario,
  async run(session, acknowledge) {
    await session.send({ type: 'limits', limits: { contextTokens: 120 } });
    for (const word of ['one', 'two', 'three']) {
      const sent = await session.send({ type: 'chat', text: `call look {"at":"${word}"}\nsay seen ${word}` });
      if (sent.type === 'accepted') acknowledge(`seen ${word}`);
      await session.wait({ whenAsked: 'return' });
    }
    const asked = await session.send({ type: 'compact', keep: 'the words' });
    if (asked.type === 'accepted') acknowledge('the words');
    await session.wait({ whenAsked: 'return' });
    const { seq } = await session.status();
    const back = await session.send({ type: 'rewind', to: Math.floor(seq / 2) });
    if (back.type === 'accepted') acknowledge('"type":"rewound"');
    const fork = await session.fork();
    await fork.chat('say from the fork');
    await session.send({ type: 'chat', text: 'call change {"n":3}\nsay changed' });
    await answerAll(session, (text) => acknowledge(text));
  },
};

test('[C117] [C119] [C122] a fault at any append or effect of a long life leaves a session that is sound and continues', async () => {
  const report = await faultLoop(longLife);
  expect(report.problems).toEqual([]);
  expect(report.faults).toBeGreaterThan(60);
});

const painted = ['red', 'green'];

/** A session whose files change, are restored with the conversation, and change again. */
const restoring: FaultScenario = {
  ...scenario,
  keepsFiles: true,
  tools: (world) => [
    testTool(
      'paint',
      (args) => {
        world.file.write((args as { readonly color: string }).color);
        return 'painted';
      },
      { access: 'write', repeat: 'never', order: 'exclusive' },
    ),
  ],
  once: [],
  async run(session, acknowledge) {
    await session.send({ type: 'policy', rules: [{ verdict: 'allow', tool: '*', origin: 'user' }] });
    const seqs: number[] = [];
    for (const color of painted) {
      await session.chat(`call paint {"color":"${color}"}\nsay it is ${color}`);
      seqs.push((await session.status()).seq);
    }
    const back = await session.rewind({ to: seqs[0] ?? 1, key: 'back' });
    if (back.type === 'rewound') acknowledge('"type":"rewound"');
    const again = await session.rewind({ to: 'undo', key: 'again' });
    if (again.type === 'rewound') acknowledge('"label":"restore-');
    await session.send({ type: 'chat', text: 'say done' });
    await session.wait({ whenAsked: 'return' });
  },
  async finish(session) {
    for (let looks = 0; looks < 1000 && (await session.status()).lifecycle !== 'idle'; looks += 1) {
      await setImmediate();
    }
  },
  /** The newest painting or restore determines the file; an interrupted one is repeated or settled as interrupted. */
  worldProblems({ file }, recorded) {
    const events = JSON.parse(recorded) as readonly Recorded[];
    const restores = events.filter(({ event }) => event.type === 'files-restored').length;
    const intended = events.filter(({ event }) => event.type === 'restore-intended').length;
    const rewound = events.filter(({ event }) => event.type === 'rewound').length;
    const problems: string[] = [];
    if (restores !== intended) problems.push(`${intended} restores were intended and ${restores} made`);
    if (rewound !== restores)
      problems.push(`the files went back ${restores} times and the conversation ${rewound}`);
    const expected = restores === 1 ? 'red' : 'green';
    if (restores > 0 && file.content() !== expected) {
      problems.push(`the file is ${file.content()} after ${restores} restores`);
    }
    return problems;
  },
};

test('[P1] [P2] [C119] [C122] a fault at any append or effect of a rewind of files leaves files and conversation at one point', async () => {
  const report = await faultLoop(restoring);
  expect(report.problems).toEqual([]);
  expect(report.faults).toBeGreaterThan(60);
});
