import { expect, test } from 'vitest';

import { createTestingModel } from '../../src/models/testing-model.ts';
import { faultLoop, type FaultScenario } from '../../src/testing/fault-loop.ts';
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

/** A life with a summary, a turn that fills its window, a step back and one forward again. */
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

test('[C117] [C119] [C122] a fault at any append or effect of a long life leaves a session that is sound and goes on', async () => {
  const report = await faultLoop(longLife);
  expect(report.problems).toEqual([]);
  expect(report.faults).toBeGreaterThan(60);
});
