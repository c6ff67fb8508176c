import { describe, expect, test } from 'vitest';

import { createCommandRegistry, helpLine, isCommand, type CommandDecision, type CommandSpec } from './registry.ts';
import { builtInCommands } from './built-in-commands.ts';
import { commandForPeople } from './run-command.ts';
import { typedVerbs } from './typed-verbs.ts';

const commands = createCommandRegistry(builtInCommands);

describe('[C13] text is decided upon', () => {
  const cases: readonly (readonly [string, CommandDecision])[] = [
    ['/help', { type: 'command', name: 'help', args: {} }],
    ['/HELP', { type: 'command', name: 'help', args: {} }],
    ['  /Help agent  ', { type: 'command', name: 'help', args: { command: 'agent' } }],
    ['/quit', { type: 'command', name: 'exit', args: {} }],
    ['/agent reviewer', { type: 'command', name: 'agent', args: { name: 'reviewer' } }],
    ['/sessions two words', { type: 'command', name: 'sessions', args: { words: 'two words' } }],
    ['/deny not in\nthis house', { type: 'command', name: 'deny', args: { reason: 'not in\nthis house' } }],
    ['/resume', { type: 'missing-argument', name: 'resume', parameter: 'session', usage: '/resume session' }],
    ['/status now', { type: 'too-many-arguments', name: 'status', usage: '/status' }],
    ['/stats', { type: 'unknown', name: 'stats', nearest: 'status' }],
    ['/frobnicate', { type: 'unknown', name: 'frobnicate' }],
    ['/revew it', { type: 'unknown', name: 'revew', nearest: 'review' }],
    ['/fix', { type: 'missing-argument', name: 'fix', parameter: 'task', usage: '/fix task' }],
    ['hello', { type: 'no-command' }],
    ['either/or', { type: 'no-command' }],
    ['what is in /etc/hosts', { type: 'no-command' }],
    ['/etc/hosts is wrong', { type: 'no-command' }],
    ['/', { type: 'no-command' }],
    ['/ help', { type: 'no-command' }],
    ['//help', { type: 'no-command' }],
    ['/1', { type: 'no-command' }],
    ['', { type: 'no-command' }],
  ];
  test.each(cases)('%j', (text, decision) => {
    expect(commands.decide(text)).toEqual(decision);
    expect(isCommand(text)).toBe(decision.type !== 'no-command');
  });
});

describe('[C13] a typed verb is a prompt', () => {
  test.each(typedVerbs.map(({ name }) => name))('/%s', (name) => {
    for (const text of [`/${name} the login`, ` /${name.toUpperCase()}\nthe login`]) {
      expect(commands.decide(text)).toEqual({ type: 'verb', name });
      expect(isCommand(text)).toBe(false);
    }
  });

  test('no command of every front end has the name of a verb', () => {
    const names = new Set(builtInCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
    expect(typedVerbs.filter(({ name }) => names.has(name))).toEqual([]);
  });

  test('a command that a program adds comes before the verb of its name', () => {
    const registry = createCommandRegistry<CommandSpec>([{ name: 'test', summary: 'run all tests' }]);
    expect(registry.decide('/test')).toEqual({ type: 'command', name: 'test', args: {} });
    expect(registry.list().filter(({ name }) => name === 'test')).toEqual([
      { name: 'test', summary: 'run all tests' },
    ]);
    expect(registry.help('fix').map(helpLine)).toEqual(['/fix task              fix a fault']);
  });
});

describe('[C14] the registry', () => {
  const deploy = {
    name: 'deploy',
    aliases: ['ship'],
    parameters: [{ name: 'where', required: true }, { name: 'why' }],
    summary: 'bring it out',
  } as const;

  test('a command that is added is found by name and alias and listed in the help; removed, it is unknown', () => {
    const registry = createCommandRegistry<CommandSpec>([]);
    expect(registry.add(deploy)).toBe('added');
    expect(registry.decide('/ship home it is late')).toEqual({
      type: 'command',
      name: 'deploy',
      args: { where: 'home', why: 'it is late' },
    });
    expect(registry.help('ship').map(helpLine)).toEqual(['/deploy where [why]    bring it out (also /ship)']);
    expect(registry.remove('SHIP')).toBe(true);
    expect(registry.remove('deploy')).toBe(false);
    expect(registry.decide('/deploy home')).toEqual({ type: 'unknown', name: 'deploy' });
    expect(registry.list()).toEqual(typedVerbs);
  });

  test('a name stands for one command, and must be one', () => {
    const registry = createCommandRegistry<CommandSpec>([deploy]);
    expect(registry.add({ name: 'other', aliases: ['ship'], summary: '' })).toBe('name-taken');
    expect(registry.add({ name: 'two words', summary: '' })).toBe('bad-name');
    expect(registry.list()).toEqual([deploy, ...typedVerbs]);
  });

  test('a command that a front end lacks is reported and not listed', () => {
    const registry = createCommandRegistry<CommandSpec>([deploy], { notHere: [{ name: 'compact', summary: '' }] });
    expect(registry.decide('/Compact')).toEqual({ type: 'not-here', name: 'compact' });
    expect(registry.help()).toEqual([deploy, ...typedVerbs]);
  });

  test('a command from a file replaces neither a command nor a typed verb', () => {
    const registry = createCommandRegistry<CommandSpec>([deploy]);
    const file = { name: 'notes', summary: 'from a file' };
    expect(registry.add({ name: 'ship', summary: 'from a file' }, 'file')).toBe('name-taken');
    expect(registry.add({ name: 'fix', summary: 'from a file' }, 'file')).toBe('name-taken');
    expect(registry.add(file, 'file')).toBe('added');
    expect([registry.get('NOTES'), registry.get('fix')]).toEqual([file, undefined]);
  });

  test('the help of one command is its line alone', () => {
    expect(commands.help('/Exit').map(helpLine)).toEqual([
      '/exit                  leave; the session stays (also /quit)',
    ]);
  });
});

test('[S19] commands that answer or permit are recognized however they are written', () => {
  const lines = [
    '/approve',
    ' /APPROVE q_1',
    '/Trust\n',
    '/answer',
    '/mode batch',
    '/set mode x',
    '/inbox 1 y',
    '/rules revoke 1',
    '/share',
    '/help',
    'approve',
    '/status',
  ];
  expect(lines.map(commandForPeople)).toEqual([
    '/approve',
    '/approve',
    '/trust',
    '/answer',
    '/mode',
    '/set',
    '/inbox',
    '/permissions',
    '/share',
    undefined,
    undefined,
    undefined,
  ]);
});
