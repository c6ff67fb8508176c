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

test('[P3] a prompt behind a question is said to be queued, cancel names it, and a later run announces that it runs first', async () => {
  await using place = await createCliPlace();
  const write = (name: string) => `call write {"path":"${name}","content":"1"}\nsay wrote ${name}`;
  await place.rondo('run', '--agent', 'testing', write('p1.md'));
  const { sessions } = (await place.json('ls')) as { sessions: readonly { session: string }[] };
  const session = sessions[0]?.session ?? '';
  const second = await place.rondo('run', '--session', session, write('p2.md'));
  expect({ code: second.code, told: place.masked(second.err).split('\n').slice(0, 2) }).toEqual({
    code: 3,
    told: ['Your prompt is queued behind q_X.', 'Session ses_X is waiting for your answer.'],
  });
  const listed = 'call write {"path":"p2.md","content":"1"} say wrote p2.md';
  const cancelled = await place.rondo('cancel', session);
  expect(place.masked(cancelled.out)).toBe(
    `Cancelled session ses_X. No process was running it.\nStill queued. The next prompt runs these first:\n  #7  ${listed}\n`,
  );
  // The queued prompt was given without this permission.
  const refused = await place.rondo('run', '--session', session, '--allow', 'write', 'say the third');
  expect({ ...refused, err: place.masked(refused.err).split('\n') }).toEqual({
    code: 2,
    out: '',
    err: [
      'rondo run: 1 queued prompt of session ses_X would run first, also under --allow write:',
      `  #7  ${listed}`,
      'Run your prompt without these options, or clear the queue first: rondo run --session ses_X "/queue clear"',
      expect.any(String) as string,
      '',
    ],
  });
  const third = await place.rondo('run', '--session', session, 'say the third');
  expect({ code: third.code, err: place.masked(third.err).split('\n').slice(0, 4) }).toEqual({
    code: 3,
    err: [
      'Queued before your prompt, and run first:',
      `  #7  ${listed}`,
      `Running the queued prompt #7  ${listed}`,
      'Session ses_X is waiting for your answer.',
    ],
  });
  await place.rondo('answer', /q_\w+/.exec(third.err)?.[0] ?? '', 'allow');
  const fourth = await place.rondo('run', '--session', session);
  expect({ ...fourth, err: place.masked(fourth.err).split('\n').slice(0, 1) }).toEqual({
    code: 0,
    out: 'wrote p2.md\n\nthe third\n',
    err: ['Queued, and run next:'],
  });
});
