import { expect, test } from 'vitest';

import { createRondo } from '../../rondo.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { filterPrompts, filterText } from './io-filters.ts';
import { interactiveTalk, type InteractiveTalkBuilder, type LineParser } from './interactive-talk.ts';

async function* typed(lines: readonly string[]) {
  for (const line of lines) yield line;
}

/** A leading colon marks a command. Any other text is a message. */
const parse: LineParser = (line) => {
  const [, name, args = ''] = /^:(\w+) ?(.*)$/.exec(line) ?? [];
  if (name !== undefined) return { type: 'command', name, args };
  return line === '' ? { type: 'nothing' } : { type: 'message', text: line };
};

test('[C12] command, message and parser are a program’s own', async () => {
  await using rondo = await createRondo(testingAgent());
  const session = await rondo.sessions.create();
  const commands: string[] = [];
  let printed = '';
  const talk = interactiveTalk()
    .session(session)
    .lines(typed(['hello', '', ':note this', 'again', ':leave', 'never said']), (text) => (printed += text))
    .parser(parse)
    .commands((name, args) => {
      commands.push(`${name} ${args}`.trim());
      return name === 'leave' ? 'exit' : 'go-on';
    })
    .messages((text) => ({ type: 'chat', text: text.toUpperCase() }))
    .build();
  expect(talk.exit).toEqual({ type: 'not-started' });
  const result = await talk.run();
  expect([printed, commands]).toEqual(['You said: HELLO\nYou said: AGAIN\n', ['note this', 'leave']]);
  expect(talk.exit).toEqual({ type: 'over', result });
});

test('[C12] without one of its parts it is not built, and the error names the part', async () => {
  await using rondo = await createRondo(testingAgent());
  const session = await rondo.sessions.create();
  const parts: Readonly<Record<string, (builder: InteractiveTalkBuilder) => InteractiveTalkBuilder>> = {
    session: (builder) => builder.session(session),
    lines: (builder) => builder.lines(typed([]), () => undefined),
    parser: (builder) => builder.parser(parse),
    commands: (builder) => builder.commands(() => 'go-on'),
    messages: (builder) => builder.messages((text) => ({ type: 'chat', text })),
  };
  for (const missing of Object.keys(parts)) {
    const others = Object.entries(parts).filter(([name]) => name !== missing);
    const builder = others.reduce((built, [, add]) => add(built), interactiveTalk());
    expect(() => builder.build()).toThrow(`${missing} is missing. Call ${missing}(…) first.`);
  }
});

test("a talk can't change what talks share", async () => {
  await using rondo = await createRondo(testingAgent());
  const given = { config: { color: 'blue' }, tools: ['look'] };
  const { context } = interactiveTalk()
    .session(await rondo.sessions.create())
    .lines(typed([]), () => undefined)
    .parser(parse)
    .commands(() => 'go-on')
    .messages(() => undefined)
    .context(given)
    .build();
  given.config.color = 'red';
  expect(context).toEqual({ config: { color: 'blue' }, args: [], security: {}, tools: ['look'] });
  expect(() => Object.assign(context.config, { color: 'green' })).toThrow(TypeError);
});

test('[C150] filters of a talk compose: those added later are nearer to the session', async () => {
  await using rondo = await createRondo(testingAgent());
  let printed = '';
  const talk = interactiveTalk()
    .session(await rondo.sessions.create())
    .lines(typed(['tea']), (text) => (printed += text))
    .parser(parse)
    .commands(() => 'go-on')
    .messages((text) => ({ type: 'chat', text }))
    .filters({ inputs: [filterPrompts((text) => `${text}, first`)], updates: [filterText((text) => `(${text})`)] })
    .filters({
      inputs: [filterPrompts((text) => `${text}, second`)],
      updates: [filterText((text) => `[${text}]`)],
    })
    .build();
  await talk.run();
  expect(printed).toBe('([You said: tea, first, second])\n');
});
