// `npm start` as a service manager runs it: a signal to the npm process ends the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../src/testing/temporary-folder.ts';

test.skipIf(process.platform === 'win32')(
  '[P6] SIGTERM to the `npm start` process ends the server',
  async () => {
    await using home = await temporaryFolder();
    // Set-up was already done by the test run.
    const npm = spawn('npm', ['start', '--ignore-scripts', '--', '--port', '0'], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      env: {
        ...process.env,
        RONDO_HOME: home.folder,
        PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    npm.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const address = () => /Rondo is at (\S+)\/#token=/.exec(out)?.[1];
    await expect.poll(address, { timeout: 50_000 }).toBeDefined();
    const isServed = () =>
      fetch(`${address()}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    expect(await isServed()).toBe(true);
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    await expect.poll(isServed).toBe(false);
  },
  120_000,
);
