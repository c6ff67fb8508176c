import { homeFolder } from '../home.ts';

/** Whether the sandbox works here. Tried once, when somebody wants to know. */
export function sandboxProbe(cwd: string): () => Promise<boolean> {
  let probed: Promise<boolean> | undefined;
  return () => (probed ??= probe(cwd));
}

async function probe(cwd: string): Promise<boolean> {
  const { createBubblewrap } = await import('../../security/sandbox/bubblewrap.ts');
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const wrapped = await createBubblewrap({ rondoHome: homeFolder() }).wrap(['true'], {
    level: 'workspace-no-network',
    roots: [cwd],
    env,
  });
  return wrapped.type === 'ready';
}
