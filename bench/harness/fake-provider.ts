import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const file = path.resolve(import.meta.dirname, '../../test/fixtures/fake-provider/main.ts');

/** A provider in a separate process, configured by its options. */
export async function startFakeProvider(
  ...options: readonly string[]
): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, [file, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      // It may be in the middle of an answer that nobody reads any more.
      child.kill('SIGKILL');
      await closed;
    },
  };
}
