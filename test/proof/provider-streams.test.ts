// Whatever a provider sends, in each wire format: the turn ends, the prompt and the received text are in the
// journal, an error says what failed and what to do, and the next prompt is answered.
import { afterAll, describe, expect, test, vi } from 'vitest';

import { createModelPool } from '../../src/models/pool.ts';
import { createRondo } from '../../src/rondo.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import {
  brokenTalks,
  createBrokenFetch,
  wireFormats,
  type BrokenTalk,
  type WireFormat,
} from './broken-streams.ts';
import { createTriedInputs, patienceMs } from './tried-inputs.ts';

vi.setConfig({ testTimeout: patienceMs });

const tried = createTriedInputs();
afterAll(() => void process.stdout.write(`${tried.report()}\n`));

const system = createSystemClock();
/** Short pauses between attempts; another test checks their length. */
const hasty = {
  now: () => system.now(),
  ticks: () => system.ticks(),
  uptime: () => system.uptime(),
  at: (time: number, call: () => void) => system.at(Math.min(time, system.now() + 20), call),
};

describe('a turn with a provider that sends anything ends, and says why', () => {
  test.each(wireFormats.map((format) => [format.name, format] as const))(
    '[C19] [C22] %s',
    async (name, format) => {
      const sound = await talked(format, { damages: [{ type: 'sound' }], chunk: 1000 });
      expect(sound).toBe('completed');
      const crash = await tried.crashOf(
        `streams of ${name}`,
        brokenTalks,
        async (talk) => {
          await talked(format, talk);
          return true;
        },
        0.2,
      );
      expect(crash).toBeUndefined();
    },
  );
});

/** The outcome of the first turn. Throws if the session isn't sound afterwards. */
async function talked({ endpoint, model }: WireFormat, talk: BrokenTalk) {
  const pool = createModelPool({
    env: {},
    config: { endpoints: { provider: endpoint } },
    clock: hasty,
    fetch: createBrokenFetch(talk),
    stall: { silenceMs: 150, wholeMs: 300 },
  });
  const served = pool.get(`provider/${model}`);
  if ('type' in served) throw new Error(served.message);
  await using rondo = await createRondo({
    agents: { own: { model: 'served' } },
    models: { served },
    tools: [testTool('look', () => 'seen')],
    limits: { errorPauseMs: 1, steps: 8 },
  });
  const session = await rondo.sessions.create({ agent: 'own' });
  const first = await inTime('the first turn', session.chat('Look at it.'));
  const second = await inTime('the second turn', settled(session));
  const { events } = await session.events({ after: 0 });
  const prompts = events.flatMap(({ event }) =>
    event.type === 'prompt-received' && event.request.type === 'chat' ? [event.request.text] : [],
  );
  if (prompts[0] !== 'Look at it.') throw new Error(`The prompt was lost: ${JSON.stringify(prompts)}`);
  if (second.outcome !== 'completed') throw new Error(`It did not go on: ${JSON.stringify(second)}`);
  const { pieces } = await rondo.sessions.export(session.id, { format: 'markdown' });
  await Array.fromAsync(pieces);
  if (first.outcome === 'needs-input') throw new Error(`The first turn did not end: ${JSON.stringify(first)}`);
  const { outcome, reason } = first;
  if (outcome !== 'completed' && !advises.test(reason ?? '')) {
    throw new Error(`A failure that says not what to do: ${reason}`);
  }
  return outcome;
}

const advises = /check|choose|again|add some|is the server running|limit|raise|rondo/i;

/** The damage may affect later requests; each prompt uses some up. */
async function settled(
  session: Awaited<ReturnType<Awaited<ReturnType<typeof createRondo>>['sessions']['create']>>,
) {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await session.chat(`Go on, ${attempt}.`);
    if (reply.outcome === 'completed' || attempt === 6) return reply;
  }
}

async function inTime<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} hangs`)), 60_000);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
