// A server that is killed again and again: `node soak-server-child.ts STORE PORT`. Its model talks at length.
import { createRondo } from '../../src/rondo.ts';
import type { Model } from '../../src/runtime/model.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { startServer } from '../../src/server/server.ts';
import { ownerToken } from './server-setup.ts';

const [store = '', port = '0'] = process.argv.slice(2);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const model: Model = {
  name: 'soak',
  async call(_request, sink, signal) {
    const words = Array.from({ length: 40 }, (_, index) => `word ${index} `);
    for (const word of words) {
      if (signal.aborted) return { type: 'cancelled' };
      sink.text(word);
      await sleep(1);
    }
    const usage = { inputTokens: 1, outputTokens: words.length };
    return { type: 'completed', text: words.join(''), calls: [], usage, stop: 'end' };
  },
};
function tell(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${text}\n`);
}

const rondo = await createRondo({
  store: `sqlite:${store}`,
  agents: { soak: { model: 'soak' } },
  models: { soak: model },
});
const server = await startServer({
  backend: rondo,
  tokens: { file: { read: () => Promise.resolve(undefined), update: () => Promise.resolve() }, owner: ownerToken },
  cwd: process.cwd(),
  host: '127.0.0.1',
  port: Number(port),
  clock: createSystemClock(),
  logger: {
    log: (level, message, fields) => tell(process.stderr, `${level} ${message} ${JSON.stringify(fields)}`),
  },
  version: '0.0.0-soak',
  limits: { bufferedBytes: 32 * 1024 },
});
await rondo.adopt();
tell(process.stdout, String(server.port));
process.on('SIGTERM', () => {
  void (async () => {
    await server.close();
    await rondo.close();
    process.exit(0);
  })();
});
