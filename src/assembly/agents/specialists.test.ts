import { expect, test } from 'vitest';

import { loadConfig, type LoadedConfig } from '../../agents/config-layers.ts';
import { problemToText } from '../../agents/config-problem.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporary-folder.ts';
import { understand } from '../../intent/meaning/transducer.ts';
import { createScriptedModel } from '../../models/scripted.ts';
import { createRondo } from '../../rondo.ts';
import { configuredAgents } from './configured-agents.ts';
import { specialist } from './specialists.ts';

const files = {
  'project/.git/': '',
  'project/.rondo/agents/tester.md': '---\ntools: [read, run_tests]\n---\nYou break things, kindly.',
  'project/.rondo/agents/reviewer.md': '---\ntols: [read]\n---\nYou review.',
};

async function agentsIn(place: TemporaryFolder) {
  const sources = { home: place.at('home'), cwd: place.at('project'), env: {}, trust: 'this-run' } as const;
  const loaded = await loadConfig(sources);
  const config: LoadedConfig | string =
    loaded.type === 'loaded' ? loaded.config : loaded.problems.map(problemToText).join('\n');
  if (typeof config === 'string') throw new Error(config);
  return configuredAgents(config, {}, { home: place.at('home'), now: () => 0 });
}

test("[C74] a specialist is the project's file of its name, else made from the persona; a bad file is an error", async () => {
  await using place = await temporaryFolder(files);
  const agents = await agentsIn(place);
  expect((await agents.get('tester'))?.tools).toEqual({ only: ['read', 'run_tests'] });
  expect((await agents.get('coder'))?.tools).toEqual(specialist('coder')?.tools);
  await expect(agents.get('reviewer')).rejects.toThrow(
    /reviewer\.md:2:1 tols: unknown key "tols"; did you mean "tools"\?/,
  );
  expect(await agents.get('plumber')).toBeUndefined();
});

test('[C74] a sub-agent for an intent is served by its specialist, and a bad file refuses it', async () => {
  await using place = await temporaryFolder(files);
  const served: string[] = [];
  await using rondo = await createRondo({
    agents: await agentsIn(place),
    models: ({ name }) => {
      served.push(name);
      return createScriptedModel([{ text: 'Done.' }]);
    },
  });
  const { spawner } = await rondo.executor({ cwd: place.at('project') });
  for (const text of ['run the tests', 'fix the parser']) {
    await (await spawner.spawnForIntent(understand(text), text)).wait();
  }
  expect(served).toEqual(['tester', 'coder']);
  await expect(spawner.spawnForIntent(understand('review my code'), 'review my code')).rejects.toThrow('tols');
});

test('[C74] each persona makes an agent that knows who it is and has the tools of its kind alone', () => {
  const researcher = specialist('researcher');
  expect(researcher?.tools).toMatchObject({ only: expect.arrayContaining(['web_fetch', 'read']) as unknown });
  expect(researcher?.tools).not.toMatchObject({ only: expect.arrayContaining(['write']) as unknown });
  expect(researcher?.prompt).toContain('For this request you are');
  expect(specialist('reviewer')?.rules).toContainEqual({
    verdict: 'ask',
    tool: 'shell',
    pattern: 'git push*',
    origin: 'agent',
  });
});
