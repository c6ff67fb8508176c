import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { atLeast, atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { ServeLoad, ServerName } from './serve-load.ts';
import { idleSessions, measureServingPrograms } from './serving-programs.ts';

const titles: Readonly<Record<ServerName, string>> = {
  floor: 'floor: node:http and SQLite FULL',
  rondo: 'Rondo',
};
const servers = Object.keys(titles) as readonly ServerName[];

/** F. A session server: its start, and its most common requests. */
export async function measureServingSessions(plan: Plan): Promise<Section> {
  const sessions = plan.isQuick ? 2000 : 10_000;
  const results = await runRounds(
    roundsOf(plan, 3),
    new Map(
      servers.map((server) => [
        server,
        () => runChild('serve-load', { server, sessions }, { nodeFlags: ['--expose-gc'] }),
      ]),
    ),
  );
  const median = (server: ServerName, of: keyof ServeLoad) => medianOf(results.of(server).map((one) => one[of]));
  const ratio = (of: keyof ServeLoad) => median('rondo', of) / median('floor', of);
  const programs = await measureServingPrograms(plan);
  const { full } = programs;
  const many = idleSessions.toLocaleString('en-US');
  return {
    title: 'F. Servers',
    work:
      `First table: sessions created one by one and, ${sessions.toLocaleString('en-US')} of them, from 32 clients at once; the heap per idle ` +
      'session; a list of 1,000 sessions, requested 50 times before; a prompt whose model answers at once, until its ' +
      'end is durable. Rondo and the floor each run server and clients in one process. Second table: servers as ' +
      'separate programs, each measured from its start until it answers, with 1,000 sessions and a provider on this ' +
      'machine that answers at once. Ours is the package, and its prompt is followed to the end. Last table: ' +
      `\`rondo serve\` on a store of ${many} idle sessions.`,
    tables: [
      {
        title: 'requests',
        head: [
          '',
          'create p50 ms',
          'creates/s',
          'CPU ms each',
          'idle session kB',
          'list 1,000 ms',
          'CPU ms each',
          'prompt p50 ms',
          'prompts/s',
          'CPU ms each',
        ],
        rows: servers.map((server) => [
          titles[server],
          median(server, 'createMs'),
          median(server, 'createsPerSecond'),
          median(server, 'createCpuMs'),
          median(server, 'idleKb'),
          median(server, 'listMs'),
          median(server, 'listCpuMs'),
          median(server, 'promptMs'),
          median(server, 'promptsPerSecond'),
          median(server, 'promptCpuMs'),
        ]),
      },
      programs.table,
      {
        title: `${many} idle sessions`,
        head: ['', 'start ms', 'kB RSS each', 'first page of 50 ms', `all ${many} in pages of 1,000 ms`],
        rows: [['rondo serve', full.startMs, full.kbEach, full.pageMs, full.walkMs]],
      },
    ],
    figures: [
      atMost('`rondo serve`: start', programs.startMs, 400, { of: 'time', unit: 'ms' }),
      atMost('`rondo serve`: memory', programs.rssMb, 130, { of: 'amount', unit: 'MB' }),
      atLeast('sessions created per second, × floor', ratio('createsPerSecond'), 0.5, { of: 'time' }),
      atMost('an idle session', median('rondo', 'idleKb'), 4, { of: 'amount', unit: 'kB' }),
      atMost('list of 1,000 sessions, × floor', ratio('listMs'), 3, { of: 'time' }),
      atMost('prompt and answer, × floor', ratio('promptMs'), 3, { of: 'time' }),
      atMost(`start with ${many} sessions in the store`, full.startMs, 400, { of: 'time', unit: 'ms' }),
      atMost(`one of ${many} idle sessions, RSS`, full.kbEach, 4, { of: 'amount', unit: 'kB' }),
    ],
    waitedShare: results.waitedShare,
    remarks: [...results.failures, ...programs.remarks],
  };
}
