// Exit code 4, with the real command: a batch run whose required calls were denied.
import { expect, test } from 'vitest';

import { createCliPlace } from './cli-process.ts';

const prompt = 'run the tests and say what fails';
const project = { name: 'tested', scripts: { test: 'node -e "console.log(42)"' } };
const lastLine = (out: string) => JSON.parse(out.trim().split('\n').at(-1) ?? '') as object;

test('[P9] a batch run that ends with a needed call refused has exit code 4 and lists what was refused', async () => {
  await using place = await createCliPlace();
  await place.write('package.json', project);
  const { code, out } = await place.rondo('run', '--json', '--mode', 'batch', prompt);
  expect({ code, ...lastLine(out) }).toMatchObject({
    code: 4,
    outcome: 'refused',
    reason: 'The policy refused what the run needed: run_tests (npm test), rule default.',
    toolCalls: 0,
    refusals: [{ tool: 'run_tests', summary: 'npm test', rule: 'default' }],
  });
  const text = await place.rondo('run', '--mode', 'batch', prompt);
  expect(text.code).toBe(4);
  expect(text.err).toContain('Refused by policy: run_tests (npm test).');
});

test("[P8] the CI guide's command runs the tests: a rule on a command covers every tool that runs it", async () => {
  await using place = await createCliPlace();
  await place.write('package.json', project);
  const words = ['run', '--json', '--mode', 'batch', '--allow', 'shell(npm test*)', prompt];
  const { code, out } = await place.rondo(...words);
  expect({ code, ...lastLine(out) }).toMatchObject({ code: 0, outcome: 'completed', toolCalls: 1, refusals: [] });
  const denied = await place.rondo('run', '--json', '--allow', 'run_tests', '--deny', 'shell(npm *)', prompt);
  expect({ code: denied.code, ...lastLine(denied.out) }).toMatchObject({
    code: 0,
    refusals: [{ tool: 'run_tests', summary: 'npm test', rule: 'shell(npm *)' }],
  });
});
