// Kinds of session over one contract: an interactive one with its own parts, a headless one, several agents,
// a custom mode; saved, loaded and summarized.
// Run it with: node examples/session-kinds/main.ts
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import {
  createAgentSessions,
  createHeadlessIo,
  createRondo,
  createTalk,
  filterIo,
  filterPrompts,
  filterText,
  interactiveTalk,
  modes,
  type Mode,
  type Talk,
} from 'rondo';
import { createTestingModel, testTool } from 'rondo/testing';

const print = (line: string) => process.stdout.write(`${line}\n`);
const file = path.join(os.tmpdir(), `session-kinds-${process.pid}.db`);
const open = () =>
  createRondo({
    store: `sqlite:${file}`,
    agents: { ada: { model: 'testing' }, bob: { model: 'testing', mode: 'batch' } },
    models: { testing: createTestingModel() },
    tools: [testTool('look', () => 'a garden', { access: 'write' }), testTool('peek', () => 'a pond')],
  });
// What all of them share, and none can change.
const context = { config: { place: 'the garden' }, args: process.argv.slice(2), tools: ['look'] };

let saved: string;
{
  await using rondo = await open();

  // Interactive: lines in, words out. How a line is read, what a command does and what a message becomes are ours.
  async function* typed() {
    yield 'hello';
    yield '!leave';
    yield 'never said';
  }
  const session = await rondo.sessions.create({ title: 'kinds' });
  let said = '';
  const interactive: Talk = interactiveTalk()
    .session(session)
    .lines(typed(), (text) => (said += text))
    .parser((line) =>
      line.startsWith('!') ? { type: 'command', name: line.slice(1), args: '' } : { type: 'message', text: line },
    )
    .commands((name) => (name === 'leave' ? 'exit' : 'go-on'))
    .messages((text) => ({ type: 'chat', text }))
    .context(context)
    .build();
  print(`interactive: ${interactive.exit.type}`);
  await interactive.run();
  print(`interactive: ${interactive.exit.type}, ${said.trim()}`);

  // Headless: the same session, the same contract, queues in place of a person.
  const io = createHeadlessIo();
  const headless: Talk = createTalk(session, io, context);
  print(`headless: nothing yet, ${io.readOutput()}`);
  io.enqueueInput('one');
  io.enqueueInput({ type: 'chat', text: 'two' });
  io.end();
  await headless.run();
  print(`headless: ${io.readOutput()}; ${io.readOutput()}; ${io.readOutput()}; last ${io.lastResponse}`);
  print(`shared: ${JSON.stringify(headless.context.config)}, ${Object.isFrozen(headless.context.config)}`);

  // Filters: what comes in and what goes out passes them in order; the session records what passed.
  const quietIo = createHeadlessIo();
  const secret = /\bk-\d+\b/g;
  const filtered = filterIo(quietIo, {
    inputs: [filterPrompts((text) => (text.includes('rm -rf') ? undefined : text.replace(secret, '<key>')))],
    updates: [filterText((text) => `\u001B[36m${text}\u001B[39m`)],
  });
  quietIo.enqueueInput('rm -rf /');
  quietIo.enqueueInput('my key is k-123');
  quietIo.end();
  await createTalk(await rondo.sessions.create({ id: 'ses_filtered' }), filtered, context).run();
  print(`filtered: ${JSON.stringify(quietIo.readOutput())}, ${quietIo.readOutput()}`);
  await rondo.sessions.create({ id: 'ses_filtered' }).catch((error: Error) => print(error.message));

  // Mode repl: a line that parses as a tool call is one, any other is a prompt; `_` is the last result.
  const repl = await rondo.sessions.create({ mode: 'repl', agent: 'ada' });
  await repl.chat('peek {}');
  print(
    `repl: ${(await repl.result()).toolCalls} call; ${(await repl.chat('describe _')).text.split('\n').at(-1)}`,
  );

  // Several agents: each keeps its history and its policy; an unknown one changes nothing.
  const agents = createAgentSessions(rondo.sessions, { agent: 'ada', session });
  const bob = await agents.switchTo('bob');
  print(`bob: ${(await bob.chat('call look {}')).text}`);
  await agents.switchTo('eve').catch((error: Error) => print(`eve: ${error.message}`));
  await agents.switchTo('ada');
  print(`${agents.agent} again: ${(await agents.session.status()).usage.turns} turns`);

  // A custom mode: it ends after one turn and never asks.
  const once: Mode = { ...modes.batch, name: 'once', ends: 'after-turn' };
  const single = createHeadlessIo();
  const talk = createTalk(await rondo.sessions.create({ mode: once }), single, context);
  single.enqueueInput('only this');
  const result = await talk.run();
  print(`mode ${once.name}: ${result.outcome}, ${result.text}`);
  saved = session.id;
}

// Saved is what was said; loading it is opening it again, in any process.
{
  await using rondo = await open();
  const session = await rondo.sessions.open(saved);
  const { usage, title } = await session.status();
  print(`loaded: ${title}, ${usage.turns} turns`);
  const before = (await session.events({ after: 0 })).last;
  const reply = await session.compact({ keep: 'the greeting' });
  print(`summed up: ${reply.outcome}, ${(await session.events({ after: 0 })).last > before}`);
  print(`and on: ${(await session.chat('still there')).text}`);
}
for (const ending of ['', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true });
