/**
 * Looks up commands: text in, decision out. Each command's behavior is in its own file. This file decides which one
 * is meant, and generates the help.
 *
 * 1. Only text that starts with `/` and a word is a command; a path such as `/etc/hosts` isn't.
 * 2. Case doesn't matter. A name or alias identifies one command at a time.
 * 3. A name is looked up as a built-in command, then as a typed verb, then as a file command. A file can't replace
 *    a built-in command.
 * 4. For an unknown name, the answer suggests the nearest one. It never goes to a model.
 */
import { nearestName } from '../kernel/nearest-name.ts';
import { optional } from '../kernel/optional.ts';
import { findTypedVerb, typedVerbs } from './typed-verbs.ts';

/** A command's syntax and help. */
export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** In order. The last one takes the rest of the line. */
  readonly parameters?: readonly CommandParameter[];
  readonly summary: string;
}

interface CommandParameter {
  readonly name: string;
  readonly required?: boolean;
}

export type CommandDecision =
  | { readonly type: 'no-command' }
  | { readonly type: 'command'; readonly name: string; readonly args: Readonly<Record<string, string>> }
  /** The whole text is a prompt with the verb as its intent. */
  | { readonly type: 'verb'; readonly name: string }
  | {
      readonly type: 'missing-argument';
      readonly name: string;
      readonly parameter: string;
      readonly usage: string;
    }
  | { readonly type: 'too-many-arguments'; readonly name: string; readonly usage: string }
  | { readonly type: 'unknown'; readonly name: string; readonly nearest?: string }
  /** This front end doesn't support it. */
  | { readonly type: 'not-here'; readonly name: string };

export interface CommandRegistry<Command extends CommandSpec = CommandSpec> {
  /** `name-taken`: another command has the name, or a typed verb has the name of a command from a file. */
  add(command: Command, from?: 'program' | 'file'): 'added' | 'name-taken' | 'bad-name';
  /** Accepts a name or alias. False if it doesn't exist. */
  remove(name: string): boolean;
  get(name: string): Command | undefined;
  /** Commands, then typed verbs. */
  list(): readonly CommandSpec[];
  decide(text: string): CommandDecision;
  help(name?: string): readonly CommandSpec[];
}

interface RegistryOptions {
  /** Commands of other front ends: they get a clear answer but aren't listed. */
  readonly notHere?: readonly CommandSpec[];
}

const commandShape = /^\/([A-Za-z][\w:-]*)(?:\s+([\s\S]*))?$/;

/** True if text is meant as a command, known or not. A typed verb with its task is a prompt. */
export function isCommand(text: string): boolean {
  const [, name, rest = ''] = commandShape.exec(text.trim()) ?? [];
  return name !== undefined && (rest.trim() === '' || findTypedVerb(name) === undefined);
}

export function createCommandRegistry<Command extends CommandSpec>(
  commands: readonly Command[],
  { notHere = [] }: RegistryOptions = {},
): CommandRegistry<Command> {
  const byName = new Map<string, Command>();
  const elsewhere = new Set(notHere.flatMap(namesOf));

  const add: CommandRegistry<Command>['add'] = (command, from = 'program') => {
    const names = namesOf(command);
    if (!names.every((name) => /^[a-z][\w-]*$/.test(name))) return 'bad-name';
    const isTaken = (name: string) =>
      byName.has(name) || (from === 'file' && (elsewhere.has(name) || findTypedVerb(name) !== undefined));
    if (names.some(isTaken)) return 'name-taken';
    for (const name of names) byName.set(name, command);
    return 'added';
  };
  const list = () => [...new Set(byName.values()), ...typedVerbs.filter(({ name }) => !byName.has(name))];
  for (const command of commands) add(command);

  return {
    add,
    remove(name) {
      const command = byName.get(name.toLowerCase());
      if (command === undefined) return false;
      for (const each of namesOf(command)) byName.delete(each);
      return true;
    },
    get: (name) => byName.get(name.toLowerCase()),
    list,
    decide(text) {
      const [, written, rest = ''] = commandShape.exec(text.trim()) ?? [];
      if (written === undefined) return { type: 'no-command' };
      const name = written.toLowerCase();
      const command = byName.get(name);
      if (command !== undefined) return argumentsOf(command, rest.trim());
      if (elsewhere.has(name)) return { type: 'not-here', name };
      const verb = findTypedVerb(name);
      if (verb !== undefined) return verbOf(verb, rest.trim());
      const nearest = nearestName(name, list().flatMap(namesOf));
      return { type: 'unknown', name, ...optional({ nearest }) };
    },
    help(name) {
      const wanted = name?.toLowerCase().replace(/^\//, '') ?? '';
      const command = byName.get(wanted) ?? findTypedVerb(wanted);
      return command === undefined ? list() : [command];
    },
  };
}

function verbOf(verb: CommandSpec, text: string): CommandDecision {
  const decision = argumentsOf(verb, text);
  return decision.type === 'command' ? { type: 'verb', name: verb.name } : decision;
}

function commandUsage({ name, parameters = [] }: CommandSpec): string {
  const words = parameters.map((parameter) =>
    parameter.required === true ? parameter.name : `[${parameter.name}]`,
  );
  return [`/${name}`, ...words].join(' ');
}

function namesOf({ name, aliases = [] }: CommandSpec): readonly string[] {
  return [name, ...aliases];
}

function argumentsOf(command: CommandSpec, text: string): CommandDecision {
  const { name, parameters = [] } = command;
  const args: Record<string, string> = {};
  let rest = text;
  for (const [index, parameter] of parameters.entries()) {
    const isLast = index === parameters.length - 1;
    const [word = ''] = isLast ? [rest] : rest.split(/\s+/, 1);
    rest = rest.slice(word.length).trim();
    if (word !== '') args[parameter.name] = word;
    else if (parameter.required === true) {
      return { type: 'missing-argument', name, parameter: parameter.name, usage: commandUsage(command) };
    }
  }
  return rest === ''
    ? { type: 'command', name, args }
    : { type: 'too-many-arguments', name, usage: commandUsage(command) };
}

export function helpLine(command: CommandSpec): string {
  const others = (command.aliases ?? []).map((alias) => `/${alias}`);
  const also = others.length === 0 ? '' : ` (also ${others.join(', ')})`;
  return `${commandUsage(command).padEnd(22)} ${command.summary}${also}`;
}
