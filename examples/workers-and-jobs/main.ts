/** Several workers, their jobs, and how to keep them in hand. Run it: `node examples/workers-and-jobs/main.ts`. */
import { createRondo } from 'rondo';

import { demoModel } from './demo-model.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

await using rondo = await createRondo({
  agents: { demo: { model: 'demo' } },
  models: { demo: demoModel },
  tools: [
    {
      name: 'save',
      description: 'Saves something.',
      parameters: { type: 'object' },
      describe: () => ({ access: 'write', repeat: 'never', order: 'exclusive', runs: 'tool' }),
      run: async () => ({ type: 'success', output: 'saved' }),
    },
  ],
  workers: { limits: { running: 2, perProvider: 2 }, keepEnded: 3 },
});

// One job with its own host, which receives states and text and approves the tool.
const ada = await rondo.workers.create('ada');
const saving = await ada.run('save the report', {
  onState: (state) => print(`ada's job is ${state}`),
  onText: (text) => print(`ada says: ${text}`),
  confirm: async (question) => {
    print(`ada asks: ${question.about.type}`);
    return { type: 'allow-once' };
  },
});
await saving.onEnd('thanks', ({ text }) => print(`continuation: ${text}`));
print(`result: ${(await saving.wait()).text}`);

// Several at once, two at a time; the urgent one overtakes, the last one waits for the others.
const bob = await rondo.workers.create('bob');
const eve = await rondo.workers.create('eve');
const first = await bob.run('count the files');
const second = await eve.run('read the notes', {}, { priority: 'urgent' });
const last = await ada.run('sum it up', {}, { after: [first, second] });
for (const job of [first, second, last]) print(`result: ${(await job.wait()).text}`);

// Cancelling one job, and then everything.
const endless = await bob.run('think for ever');
await endless.cancel('no longer needed');
print(`bob's job: ${(await endless.wait()).ending.type}`);
const [more, waiting] = [await bob.run('think for ever'), await bob.run('never starts')];
await rondo.jobs.cancelAll('closing time');
print(`all: ${[(await more.wait()).ending.type, (await waiting.wait()).ending.type].join(', ')}`);

// Only the newest three of a worker stay listed; the others can still be read.
for (let page = 1; page <= 5; page += 1) await (await eve.run(`read page ${page}`)).wait();
const { worker: eveId } = second;
const listed = (await rondo.jobs.list({ worker: eveId })).map(({ prompt }) => prompt);
print(`listed: ${listed.join(', ')}`);
const early = await rondo.jobs.result(second.id);
print(`still known: ${early?.isDone === true ? early.result.text : 'no'}`);

// Stops intake, lets what runs come to rest for two seconds, and leaves the rest to be resumed.
await rondo.close({ deadline: 2000, cancel: true });
print('closed');
