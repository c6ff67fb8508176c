/**
 * Slash commands: text in, decision out. What a command does is its front end's; what there is, how it
 * is written and what its help says is here, so that terminal, web app and `rondo run` agree.
 *
 * 1. Only text that begins with `/` and a word is a command; a path such as `/etc/hosts` is not.
 * 2. Case does not matter. A name or alias stands for one command at a time.
 * 3. What is unknown is answered with the nearest name, never sent to a model.
 * 4. A name is a command first, then a typed verb (`/fix …`), which is a prompt.
 */
import { nearestName } from '../kernel/nearest-name.ts';
import { findTypedVerb, typedVerbs } from './typed-verbs.ts';

export interface SlashCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** In order; the last one takes the rest of the line. */
  readonly parameters?: readonly SlashParameter[];
  readonly summary: string;
}

interface SlashParameter {
  readonly name: string;
  readonly required?: boolean;
}

export type SlashDecision =
  | { readonly type: 'no-command' }
  | { readonly type: 'command'; readonly name: string; readonly args: Readonly<Record<string, string>> }
  /** The whole text is a prompt; its intent is the verb. */
  | { readonly type: 'verb'; readonly name: string }
  | {
      readonly type: 'missing-argument';
      readonly name: string;
      readonly parameter: string;
      readonly usage: string;
    }
  | { readonly type: 'too-many-arguments'; readonly name: string; readonly usage: string }
  | { readonly type: 'unknown'; readonly name: string; readonly nearest?: string }
  /** It is one of the commands to come, or one that this front end does not have. */
  | { readonly type: 'not-here'; readonly name: string };

export interface SlashCommands {
  add(command: SlashCommand): 'added' | 'name-taken' | 'bad-name';
  /** By name or alias; false where there is none. */
  remove(name: string): boolean;
  list(): readonly SlashCommand[];
  decide(text: string): SlashDecision;
  /** Of all commands, or of one. */
  help(name?: string): string;
}

export interface SlashOptions {
  /** Names that are known elsewhere: they are answered honestly and not listed. */
  readonly notHere?: readonly string[];
}

const commandShape = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/;

/** Whether text is meant as a command, known or not. A typed verb with its task is a prompt. */
export function isSlashCommand(text: string): boolean {
  const [, name, rest = ''] = commandShape.exec(text.trim()) ?? [];
  return name !== undefined && (rest.trim() === '' || findTypedVerb(name) === undefined);
}

export function createSlashCommands(
  commands: readonly SlashCommand[],
  { notHere = [] }: SlashOptions = {},
): SlashCommands {
  const byName = new Map<string, SlashCommand>();

  const add = (command: SlashCommand): 'added' | 'name-taken' | 'bad-name' => {
    const names = namesOf(command);
    if (!names.every((name) => /^[a-z][\w-]*$/.test(name))) return 'bad-name';
    if (names.some((name) => byName.has(name))) return 'name-taken';
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
    list,
    decide(text) {
      const [, written, rest = ''] = commandShape.exec(text.trim()) ?? [];
      if (written === undefined) return { type: 'no-command' };
      const name = written.toLowerCase();
      const command = byName.get(name);
      if (command !== undefined) return argumentsOf(command, rest.trim());
      if (notHere.includes(name)) return { type: 'not-here', name };
      const verb = findTypedVerb(name);
      if (verb !== undefined) return verbOf(verb, rest.trim());
      const nearest = nearestName(name, [...byName.keys(), ...typedVerbs.map((one) => one.name)]);
      return { type: 'unknown', name, ...(nearest !== undefined && { nearest }) };
    },
    help(name) {
      const wanted = name?.toLowerCase().replace(/^\//, '') ?? '';
      const command = byName.get(wanted) ?? findTypedVerb(wanted);
      return (command === undefined ? list() : [command]).map(helpLine).join('\n');
    },
  };
}

function slashUsage({ name, parameters = [] }: SlashCommand): string {
  const words = parameters.map((parameter) =>
    parameter.required === true ? parameter.name : `[${parameter.name}]`,
  );
  return [`/${name}`, ...words].join(' ');
}

function namesOf({ name, aliases = [] }: SlashCommand): readonly string[] {
  return [name, ...aliases];
}

function argumentsOf(command: SlashCommand, text: string): SlashDecision {
  const { name, parameters = [] } = command;
  const args: Record<string, string> = {};
  let rest = text;
  for (const [index, parameter] of parameters.entries()) {
    const isLast = index === parameters.length - 1;
    const [word = ''] = isLast ? [rest] : rest.split(/\s+/, 1);
    rest = rest.slice(word.length).trim();
    if (word !== '') args[parameter.name] = word;
    else if (parameter.required === true) {
      return { type: 'missing-argument', name, parameter: parameter.name, usage: slashUsage(command) };
    }
  }
  return rest === ''
    ? { type: 'command', name, args }
    : { type: 'too-many-arguments', name, usage: slashUsage(command) };
}

function verbOf(verb: SlashCommand, text: string): SlashDecision {
  const decision = argumentsOf(verb, text);
  return decision.type === 'command' ? { type: 'verb', name: verb.name } : decision;
}

function helpLine(command: SlashCommand): string {
  const others = (command.aliases ?? []).map((alias) => `/${alias}`);
  const also = others.length === 0 ? '' : ` (also ${others.join(', ')})`;
  return `${slashUsage(command).padEnd(18)} ${command.summary}${also}`;
}
