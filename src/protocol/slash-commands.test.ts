import { describe, expect, test } from 'vitest';

import { createSlashCommands, isSlashCommand, type SlashDecision } from './slash-commands.ts';
import { standardSlashCommands } from './standard-slash-commands.ts';
import { typedVerbs } from './typed-verbs.ts';

const commands = createSlashCommands(standardSlashCommands);

describe('[C13] text is decided upon', () => {
  const cases: readonly (readonly [string, SlashDecision])[] = [
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
    expect(isSlashCommand(text)).toBe(decision.type !== 'no-command');
  });
});

describe('[C13] a typed verb is a prompt', () => {
  test.each(typedVerbs.map(({ name }) => name))('/%s', (name) => {
    for (const text of [`/${name} the login`, ` /${name.toUpperCase()}\nthe login`]) {
      expect(commands.decide(text)).toEqual({ type: 'verb', name });
      expect(isSlashCommand(text)).toBe(false);
    }
  });

  test('no command of every front end has the name of a verb', () => {
    const names = standardSlashCommands.flatMap((command) => [
      command.name,
      ...('aliases' in command ? command.aliases : []),
    ]);
    expect(typedVerbs.filter(({ name }) => (names as readonly string[]).includes(name))).toEqual([]);
  });

  test('a command that a program adds comes before the verb of its name', () => {
    const registry = createSlashCommands([{ name: 'test', summary: 'run all tests' }]);
    expect(registry.decide('/test')).toEqual({ type: 'command', name: 'test', args: {} });
    expect(registry.list().filter(({ name }) => name === 'test')).toEqual([
      { name: 'test', summary: 'run all tests' },
    ]);
    expect(registry.help('fix')).toBe('/fix task          fix a fault');
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
    const registry = createSlashCommands([]);
    expect(registry.add(deploy)).toBe('added');
    expect(registry.decide('/ship home it is late')).toEqual({
      type: 'command',
      name: 'deploy',
      args: { where: 'home', why: 'it is late' },
    });
    expect(registry.help('ship')).toBe('/deploy where [why] bring it out (also /ship)');
    expect(registry.remove('SHIP')).toBe(true);
    expect(registry.remove('deploy')).toBe(false);
    expect(registry.decide('/deploy home')).toEqual({ type: 'unknown', name: 'deploy' });
    expect(registry.list()).toEqual(typedVerbs);
  });

  test('a name stands for one command, and must be one', () => {
    const registry = createSlashCommands([deploy]);
    expect(registry.add({ name: 'other', aliases: ['ship'], summary: '' })).toBe('name-taken');
    expect(registry.add({ name: 'two words', summary: '' })).toBe('bad-name');
    expect(registry.list()).toEqual([deploy, ...typedVerbs]);
  });

  test('what a front end does not have is said so, and not listed', () => {
    const registry = createSlashCommands([deploy], { notHere: ['compact'] });
    expect(registry.decide('/Compact')).toEqual({ type: 'not-here', name: 'compact' });
    expect(registry.help()).not.toContain('compact');
  });

  test('the help of one command is its line alone', () => {
    expect(commands.help('/Exit')).toBe('/exit              leave; the session stays (also /quit)');
  });
});
