/** From a sentence to a configured turn, and to sub-agents. Run it: `node examples/jit-executor/main.ts`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createRondo } from 'rondo';

const print = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-jit-'));
await writeFile(path.join(folder, 'teapot.ts'), 'export function boil(): void {}\n');
await writeFile(path.join(folder, 'README.md'), '# Teapot\n\nBoils water.\n');

// The default agent with its tools, on the model that needs no network.
await using rondo = await createRondo();
const executor = await rondo.executor({ cwd: folder, model: 'offline' });

// Each sentence becomes an intent; the intent decides the persona, the tools and what is denied at the gate.
for (const text of ['explain teapot.ts', 'find all *.md files', "read README.md, don't change anything"]) {
  const done = await executor.process(text);
  print(`> ${text}`);
  print(`  ${done.intent.verb} (${done.intent.category}) by the ${done.persona}, ${done.runs}`);
  const said = done.runs === 'inline' ? done.reply.text : done.result.text;
  print(`  ${said.split('\n')[0] ?? ''}`);
  const denied = done.why.verdicts.flatMap(({ what }) => (what.startsWith('deny ') ? [what.slice(5)] : []));
  if (denied.length > 0) print(`  denied: ${denied.join(', ')}`);
}

// Sub-agents: one for a single task, one that remembers its tasks, one that is restored when the program starts again.
const { intent } = await executor.process('who are you?');
for (const type of ['ephemeral', 'persistent', 'system'] as const) {
  const first = await executor.spawner.spawnForIntent(intent, 'read README.md', { type, name: `a-${type}` });
  await first.wait();
  const second = await executor.spawner.spawnForIntent(intent, 'what did we do so far?', {
    type,
    name: `a-${type}`,
  });
  const { text } = await second.wait();
  print(`${type}: ${text.includes('README.md') ? 'remembers the task before' : 'starts afresh'}`);
}
// The same executor with parts of our own; each may call the built-in one.
const own = await rondo.executor({
  cwd: folder,
  model: 'offline',
  transducer: (text, builtIn) => ({
    ...builtIn(),
    ...(text.startsWith('brew') && { verb: 'brew', by: 'program' }),
  }),
  configFactory: (_wanted, builtIn) => ({ ...builtIn(), tools: ['read', 'list'] }),
  promptCompiler: ({ tools }) => ({ prefix: `You serve tea. Tools: ${tools.length}.`, block: 'Brew slowly.' }),
});
const brewed = await own.process('brew a pot');
print(`${brewed.intent.verb} by the ${brewed.persona}, ${brewed.why.config.tools.join(' and ')}`);
await rm(folder, { recursive: true });
