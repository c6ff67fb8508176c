import { createServer } from 'node:http';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createCliPlace } from './cli-process.ts';

const hasBubblewrap = existsSync('/usr/bin/bwrap');

test.runIf(hasBubblewrap)(
  '[C53] `tools.sandbox` with `network` lets commands reach the listed hosts alone [needs bwrap]',
  async () => {
    const server = createServer((_request, response) => response.end('served'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using place = await createCliPlace();
    await place.write('rondo.json', {
      tools: { sandbox: { level: 'workspace', network: [`127.0.0.1:${port}`, '*.example.org'] } },
    });
    const get = (url: string) =>
      `node -e 'const h=require("node:http"); h.get({host:"127.0.0.1",port:18080,path:"${url}"},(r)=>{r.on("data",(d)=>process.stdout.write(r.statusCode+" "+d));})'`;
    const prompt = [
      `call shell ${JSON.stringify({ command: get(`http://127.0.0.1:${port}/`) })}`,
      `call shell ${JSON.stringify({ command: get('http://example.com/') })}`,
      `call shell ${JSON.stringify({ command: `node -e 'require("node:net").connect(${port},"127.0.0.1").on("connect",()=>{console.log("direct");process.exit()}).on("error",()=>console.log("shut"))'` })}`,
    ].join('\n');
    const run = await place.rondo(
      'run',
      '--json',
      '--agent',
      'testing',
      '--trust-project',
      '--auto-approve',
      prompt,
    );
    server.close();
    const outputs = run.out
      .split('\n')
      .filter((line) => line.includes('"tool-settled"'))
      .map((line) => (JSON.parse(line) as { result: { output: string } }).result.output);
    expect(
      outputs.map((output) => /200 served|403 This host is not on the allow list|direct|shut/.exec(output)?.[0]),
    ).toEqual(['200 served', '403 This host is not on the allow list', 'shut']);

    await place.rondo('trust', '--yes');
    const reach = `in a sandbox: writes only in the session's folder, the network only to 127.0.0.1:${port}, *.example.org`;
    expect((await place.rondo('policy', 'explain', 'ls')).out).toContain(`It would run ${reach}.`);
    expect((await place.rondo('doctor')).out).toContain(`bubblewrap works; commands run ${reach}`);
  },
);

test('[C53] a sandbox that is asked for and not there refuses commands with the install line', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', { tools: { sandbox: { level: 'workspace', network: ['example.org'] } } });
  const run = await place.start(
    [
      'run',
      '--json',
      '--agent',
      'testing',
      '--trust-project',
      '--auto-approve',
      'call shell {"command":"touch made"}',
    ],
    { env: { PATH: '/nowhere' } },
  ).ended;
  expect(run.out).toContain('bubblewrap is not installed. To install it: apt-get install bubblewrap');
  expect(existsSync(`${place.project}/made`)).toBe(false);
});

test('[C115] a mistake in the list of hosts is named with its place', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    tools: { sandbox: { level: 'workspace-no-network', network: ['https://example.org/'] } },
  });
  const { code, err } = await place.rondo('config', 'check');
  expect(code).toBe(2);
  expect(err).toContain('tools.sandbox.network[0]: must be a host such as example.org');
});
