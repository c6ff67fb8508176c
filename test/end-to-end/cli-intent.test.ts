import { expect, test } from 'vitest';
import { startFakeProvider } from '../fixtures/fake-provider/fake-provider.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const compiled = { defaultAgent: 'compiled', agents: { compiled: { compile: true } } };

function questionIn(text: string): string {
  return /q_[a-z0-9]+/.exec(text)?.[0] ?? '';
}

async function trusted(place: CliPlace, config: object): Promise<void> {
  await place.write('rondo.json', config);
  expect((await place.rondo('trust', '--yes')).code).toBe(0);
}

test('[C104][P9] an unclear prompt is asked about once, answered from anywhere, and its turn continues', async () => {
  await using place = await createCliPlace();
  await place.write('src/a/index.ts', 'export const one = 1;\n');
  await place.write('src/b/index.ts', 'export const two = 2;\n');
  await trusted(place, compiled);
  const asked = await place.rondo('run', 'explain index.ts');
  expect([asked.code, asked.out]).toEqual([3, '']);
  expect(asked.err).toContain('Which index.ts do you mean?  (q_');
  for (const option of ['src/a/index.ts', 'src/b/index.ts', 'index.ts, as I wrote it'])
    expect(asked.err).toContain(` --option ${JSON.stringify(option)}\n`);
  const answer = await place.rondo('answer', questionIn(asked.err), '--option', 'src/b/index.ts');
  expect(answer.code).toBe(0);
  const done = await place.rondo('run', '--session', 'latest');
  expect([done.code, done.out.split('\n')[0]]).toEqual([0, '**src/b/index.ts** — 1 line, 0 empty']);
  const why = await place.rondo('run', '--session', 'latest', '/why');
  expect(why.out).toContain(
    'asked what was meant: src/b/index.ts\nunderstood: explain (query, confidence 1, by person)',
  );
});

test("[C104] the person's own words say what was meant, and a clear prompt is not asked about", async () => {
  await using place = await createCliPlace();
  await place.write('notes.txt', 'tea\n');
  await trusted(place, compiled);
  const asked = await place.rondo('run', 'hm, the notes');
  expect([asked.code, asked.err.includes('What should I do?')]).toEqual([3, true]);
  await place.rondo('answer', questionIn(asked.err), '--text', 'show notes.txt');
  expect((await place.rondo('run', '--session', 'latest')).out).toContain('tea');
  expect((await place.rondo('run', 'show notes.txt')).code).toBe(0);
});

test('[C99] [C104] understanding by a model is one more call, paid for and recorded; an unsure model leads to a question', async () => {
  await using provider = await startFakeProvider();
  await using place = await createCliPlace();
  const config = {
    endpoints: { fake: { type: 'openai-compatible', baseUrl: `${provider.url}/v1` } },
    agents: { careful: { compile: true, understand: 'model', endpoint: 'fake', model: 'fake-model' } },
    defaultAgent: 'careful',
  };
  await trusted(place, config);
  provider.reply(
    {
      text: '{"verb":"refactor","target":null,"readOnly":true,"confidence":0.95}',
      usage: { input: 100, output: 20 },
    },
    { text: 'Looked at it.', usage: { input: 10, output: 5 } },
  );
  const run = await place.start(['run', '--json', 'the thing, you know']).ended;
  expect(run.code).toBe(0);
  const lines = run.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const result = lines.at(-1);
  expect(result).toMatchObject({
    outcome: 'completed',
    text: 'Looked at it.',
    steps: 1,
    usage: { inputTokens: 110, outputTokens: 25 },
  });
  expect(provider.requests).toHaveLength(2);
  const why = await place.rondo('why', 'latest');
  expect(why.out).toContain(
    'asked the model: understood\nunderstood: refactor (mutation, confidence 0.95, by model)',
  );
  expect(why.out).toContain('  deny edit\n');

  provider.reply({ text: '{"verb":"fix","confidence":0.2}' });
  const unsure = await place.rondo('run', 'the thing, you know');
  expect([unsure.code, provider.requests.length]).toEqual([3, 3]);
  expect(unsure.err).toContain('Shall I fix, or do something else?  (q_');
  expect(unsure.err).toContain('--option "fix (changes files)"\n');

  provider.reply({ text: 'I would say: fix it.' }, { text: 'Done.' });
  const fallback = await place.rondo('run', '--mode', 'batch', 'fix the build');
  expect([fallback.code, fallback.out]).toEqual([0, 'Done.\n']);
  expect((await place.rondo('why', 'latest')).out).toContain(
    'asked the model: The model gave no answer of the asked form.',
  );
});

test('[C100] a trusted project adds verbs, configs, atoms and rules; an untrusted one adds nothing and is reported', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', compiled);
  await place.write('.rondo/intent/verbs.json', {
    verbs: { brew: { category: 'query', persona: 'reviewer', priority: 90, patterns: ['^brew\\b'] } },
  });
  const untrusted = await place.rondo('trust', '--show');
  expect(untrusted.out).toContain('.rondo/intent/verbs.json: it decides how Rondo understands your prompts');
  await place.rondo('run', 'brew some tea');
  expect((await place.rondo('why', 'latest')).out).not.toContain('understood: brew');
  await place.rondo('trust', '--yes');
  await place.rondo('run', 'brew some tea');
  expect((await place.rondo('why', 'latest')).out).toContain('understood: brew (query');
  expect((await place.rondo('run', '/brew a pot')).err).not.toContain('Unknown command');
  expect((await place.rondo('why', 'latest')).out).toContain('understood: brew (query');
  expect((await place.rondo('run', '/brow a pot')).code).toBe(2);

  await place.write('.rondo/intent/verbs.json', {
    verbs: { brew: { category: 'query', persona: 'revewer', priority: 90 } },
  });
  await place.write('.rondo/intent/routing.mg', 'deny(T) :- tool(T, /write)\n');
  await place.rondo('trust', '--yes');
  const check = await place.rondo('config', 'check');
  const run = await place.rondo('run', 'brew some tea');
  const told =
    '.rondo/intent/verbs.json:1:48 verbs.brew.persona: unknown persona "revewer"; did you mean "reviewer"?';
  expect([check.code, check.err.includes(told)]).toEqual([2, true]);
  expect([run.code, run.err.includes(told)]).toEqual([2, true]);
});

/** Runs the default agent with a model that writes these files, whatever the prompt is. */
async function writing(place: CliPlace, files: readonly string[], ...words: readonly string[]) {
  const calls = files.map((file) => ({ tool: 'write', args: { path: file, content: 'x' } }));
  const script = await place.write('script.json', [{ calls }, { text: 'done' }]);
  return place.rondo('run', '--model', `scripted:${script}`, ...words);
}

test('[C102] words about one thing deny nothing, and what a flag allows runs', async () => {
  await using place = await createCliPlace();
  const prompt = "look into why login fails and get it working again, don't change the public API";
  const run = await writing(place, ['login.txt'], prompt, '--allow', 'write', '--auto-approve');
  expect(run).toEqual({ code: 0, out: 'done\n', err: expect.stringMatching(/^✓ Created login\.txt/) as string });
});

test('[C102] "don\'t change anything" refuses with these words and the way to lift it; a flag lifts it', async () => {
  await using place = await createCliPlace();
  const prompt = "don't change anything, what is wrong here?";
  const refused = await writing(place, ['a.txt'], prompt, '--auto-approve');
  expect(refused.err).toContain(
    "Refused by policy: write (a.txt). The prompt says \"don't change anything\". To lift it, rephrase, or use --allow 'write'.",
  );
  const allowed = await writing(place, ['a.txt'], prompt, '--allow', 'write');
  expect(allowed).toEqual({ code: 0, out: 'done\n', err: expect.stringMatching(/^✓ Created a\.txt/) as string });
});

test('[C102] "don\'t edit the tests" protects the tests, also where everything may be written', async () => {
  await using place = await createCliPlace();
  const prompt = "get it green, don't edit the tests";
  const run = await writing(place, ['test/a.test.ts', 'a.ts'], prompt, '--allow', 'write', '--json');
  const lines = run.out.split('\n').filter((line) => line.includes('"call-refused"'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(
    "The prompt says \\\"don't edit the tests\\\". To lift it, rephrase, or use --allow 'write(test/a.test.ts)'.",
  );
});

test('[C98] [C13] a verb typed as a command is a prompt with that intent, in `run` and in a chat', async () => {
  await using place = await createCliPlace();
  await place.write('notes.txt', 'tea\n');
  // The offline model can't review, but the requested verb is still recorded.
  expect((await place.rondo('run', '/Review notes.txt')).code).toBe(1);
  expect((await place.rondo('run', '--session', 'latest', '/why')).out).toContain(
    'understood: review (query, confidence 1, by typed)',
  );
  const nothing = await place.rondo('run', '/fix');
  expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('/fix needs task. Usage: /fix task')]);
  const chat = await place.start(['chat'], { stdin: '/verify notes.txt exists\n/why\n' }).ended;
  expect(chat.out).toContain('understood: verify (mutation, confidence 1, by typed)');
});
