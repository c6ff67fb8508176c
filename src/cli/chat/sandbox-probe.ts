import { homeFolder } from '../home.ts';

/** Whether the sandbox works here. Tried once, when somebody wants to know. */
export function sandboxProbe(cwd: string): () => Promise<boolean> {
  let probed: Promise<boolean> | undefined;
  return () => (probed ??= trySandbox(cwd).then(({ type }) => type === 'ready'));
}

/** Runs nothing in a sandbox, as a command would run. */
export async function trySandbox(cwd: string) {
  const { createBubblewrap } = await import('../../security/sandbox/bubblewrap.ts');
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  return await createBubblewrap({ rondoHome: homeFolder() }).wrap(['true'], {
    level: 'workspace-no-network',
    roots: [cwd],
    env,
  });
}
