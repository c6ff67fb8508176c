/** Checks which tool and agent processes end with the Rondo that started them, and which can't be reached (O6). */
import type { Finding } from './doctor-finding.ts';

interface ChildrenParts {
  /** Starts the keeper. Returns why it can't start. */
  readonly ready: () => Promise<string | undefined>;
  readonly isRunnable: (command: string) => Promise<boolean>;
}

export async function checkChildren({ ready, isRunnable }: ChildrenParts): Promise<Omit<Finding, 'what'>> {
  const problem = await ready();
  if (problem !== undefined) {
    return { health: 'broken', found: problem, advice: 'install bash: without it tools and agents are refused' };
  }
  const here = await Promise.all(
    unreached.map(async ({ what, commands }) => {
      const runnable = await Promise.all(commands.map(isRunnable));
      const names = commands.filter((_, index) => runnable[index]);
      return names.length === 0 ? [] : [`${what} (${names.join(', ')})`];
    }),
  );
  const uncovered = [...here.flat(), 'daemons that clear their environment'];
  return {
    health: 'good',
    found: `end with Rondo, even if it is killed or stopped; not covered: ${uncovered.join(', ')}`,
  };
}

const unreached = [
  { what: 'containers', commands: ['docker', 'podman', 'nerdctl'] },
  { what: 'commands on other machines', commands: ['ssh'] },
  { what: 'services and scheduled commands', commands: ['systemd-run', 'at', 'crontab'] },
];
