import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

import type { Counted } from './mark-counter.ts';

interface Readers {
  ask(question: object): Promise<Counted>;
  end(): void;
}

/** Clients of a server, in a separate process: see readers-child.ts. */
export function startReaders(port: number): Readers {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'readers-child.ts'), String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error('The readers are gone.');
      return JSON.parse(value) as Counted;
    },
    end: () => child.stdin.end(),
  };
}
