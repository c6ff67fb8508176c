import { expect, test } from 'vitest';

import { checkChildren } from './doctor-children.ts';

test('[O6] doctor names the children that do not end with Rondo, by the programs that are here', async () => {
  const programs = new Set(['docker', 'nerdctl', 'ssh']);
  const isRunnable = async (command: string) => programs.has(command);
  expect(await checkChildren({ ready: async () => undefined, isRunnable })).toEqual({
    health: 'good',
    found:
      'end with Rondo, even if it is killed or stopped; not covered: containers (docker, nerdctl), commands on other machines (ssh), daemons that clear their environment',
  });
});

test('[O6] doctor explains why the keeper is missing', async () => {
  const ready = async () => "Can't start /bin/sh to watch over child processes: spawn /bin/sh ENOENT.";
  expect(await checkChildren({ ready, isRunnable: async () => true })).toEqual({
    health: 'broken',
    found: "Can't start /bin/sh to watch over child processes: spawn /bin/sh ENOENT.",
    advice: 'install bash: without it tools and agents are refused',
  });
});
