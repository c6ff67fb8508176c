import { describe, expect, test } from 'vitest';

import { createCommandRegistry, helpLine, isCommand, type CommandDecision, type CommandSpec } from './registry.ts';
import { builtInCommands } from './built-in-commands.ts';

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
    expect(registry.help().map(helpLine)).toEqual(['/deploy where [why] bring it out (also /ship)']);
    expect(registry.remove('SHIP')).toBe(true);
    expect(registry.remove('deploy')).toBe(false);
    expect(registry.decide('/deploy home')).toEqual({ type: 'unknown', name: 'deploy' });
    expect(registry.list()).toEqual([]);
  });

  test('a name stands for one command, and must be one', () => {
    const registry = createCommandRegistry<CommandSpec>([deploy]);
    expect(registry.add({ name: 'other', aliases: ['ship'], summary: '' })).toBe('name-taken');
    expect(registry.add({ name: 'two words', summary: '' })).toBe('bad-name');
    expect(registry.list()).toEqual([deploy]);
  });

  test('what a front end does not have is said so, and not listed', () => {
    const registry = createCommandRegistry<CommandSpec>([deploy], { notHere: [{ name: 'compact', summary: '' }] });
    expect(registry.decide('/Compact')).toEqual({ type: 'not-here', name: 'compact' });
    expect(registry.help()).toEqual([deploy]);
  });

  test('a name is looked up as a built-in command, then as a verb, then as a file command', () => {
    const registry = createCommandRegistry<CommandSpec>([deploy]);
    const file = { name: 'fix', summary: 'from a file' };
    const verb = { name: 'fix', summary: 'from a verb' };
    expect(registry.add({ name: 'deploy', summary: 'from a file' }, 'file')).toBe('name-taken');
    expect(registry.add({ name: 'ship', summary: 'from a verb' }, 'verb')).toBe('name-taken');
    expect(registry.add(file, 'file')).toBe('added');
    expect(registry.get('fix')).toBe(file);
    expect(registry.add(verb, 'verb')).toBe('added');
    expect([registry.get('FIX'), registry.list()]).toEqual([verb, [deploy, verb]]);
    expect(registry.remove('fix')).toBe(true);
    expect(registry.get('fix')).toBe(file);
  });

  test('the help of one command is its line alone', () => {
    expect(commands.help('/Exit').map(helpLine)).toEqual([
      '/exit              leave; the session stays (also /quit)',
    ]);
  });
});
