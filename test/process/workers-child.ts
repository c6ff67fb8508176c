/** A process that launches jobs on a store and then hangs in the middle of one, to be killed. */
import { createRondo } from '../../src/rondo.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';

const rondo = await createRondo(testingAgent({ store: process.argv[2] ?? 'memory:' }));
const worker = await rondo.workers.create('ada');
await (await worker.run('say before')).wait();
const hung = await worker.run('hang', {
  onWorkerState: (state) => {
    if (state === 'requesting') process.stdout.write(`${hung.id} ${queued.id}\n`);
  },
});
const queued = await worker.run('say after');
