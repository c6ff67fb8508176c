import { expect, test } from 'vitest';

import type { SessionId, WorkerId } from '../../../src/kernel/ids.ts';
import type { JobView, WorkerView } from '../../../src/ports/workforce.ts';
import { activeIn, workerTree } from './worker-tree.ts';

const worker = (name: string, session: string, parent?: string): WorkerView => ({
  id: `wrk_${name}` as WorkerId,
  name,
  kind: 'persistent',
  state: 'working',
  jobs: { active: 1, all: 1 },
  session: session as SessionId,
  doing: [],
  budget: [],
  ...(parent !== undefined && { parent: parent as SessionId }),
});
const job = (id: string, of: string, state: JobView['state']): JobView => ({
  id,
  worker: of,
  state,
  priority: 'normal',
  prompt: id,
  after: [],
});

test('[C128] workers are below the session that gave them work; a branch holds all its jobs', () => {
  const workers = [
    worker('lead', 'ses_l', 'ses_top'),
    worker('helper', 'ses_h', 'ses_l'),
    worker('alone', 'ses_a'),
  ];
  const jobs = [job('j1', 'lead', 'running'), job('j2', 'helper', 'queued'), job('j3', 'helper', 'completed')];
  const top = { session: 'ses_top' as SessionId, doing: ['calling a model'], budget: [] };
  const tree = workerTree(workers, jobs, [top]);
  expect(
    tree.map((branch) => [branch.session, branch.parent, branch.workers.map((node) => node.worker.name)]),
  ).toEqual([
    ['ses_top', top, ['lead']],
    [undefined, undefined, ['alone']],
  ]);
  const lead = tree[0]?.workers[0];
  expect(lead === undefined ? [] : activeIn(lead).map(({ id }) => id)).toEqual(['j1', 'j2']);
});
