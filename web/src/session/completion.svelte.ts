/** Completes a word that starts with `/` or `@`: to a command, a file or a resource of an MCP server. */
import { fileCommandSpec } from '../../../src/commands/help.ts';
import type { CommandSpec } from '../../../src/commands/registry.ts';
import { getApi } from '../connection/api.ts';
import { commands } from './slash.ts';
import { wordBefore } from './word-before.ts';

interface Option {
  readonly insert: string;
  readonly about: string;
}

interface Completion {
  readonly options: readonly Option[];
  readonly at: number;
  look(text: string, place: number): void;
  /** True if the completion handled the key. */
  keydown(event: KeyboardEvent, change: (text: string) => void, field: HTMLTextAreaElement): boolean;
  take(index: number, change: (text: string) => void, field: HTMLTextAreaElement): void;
  clear(): void;
}

const most = 8;

export function createCompletion(session: string): Completion {
  let options = $state.raw<readonly Option[]>([]);
  let at = $state(0);
  let asked = 0;

  function clear(): void {
    asked += 1;
    options = [];
    at = 0;
  }
  function look(text: string, place: number): void {
    clear();
    const { word, from } = wordBefore(text, place);
    if (from === 0 && word.startsWith('/')) {
      options = commandsFor(word);
      void ofFolder(word, asked);
    } else if (word.startsWith('@')) {
      void files(word.slice(1), asked);
      void resources(word.slice(1), asked);
    }
  }
  /** Commands from files and prompts of MCP servers. They follow the registry's when they are known. */
  async function ofFolder(word: string, mine: number): Promise<void> {
    const found = await getApi<{ readonly commands: readonly Parameters<typeof fileCommandSpec>[0][] }>(
      `/commands?${new URLSearchParams({ session }).toString()}`,
    );
    if (mine !== asked || found.type !== 'ok') return;
    const more = found.value.commands
      .filter(({ name }) => !commands.list().some((one) => one.name === name))
      .map(fileCommandSpec);
    options = [...options, ...optionsFor(more, word)].slice(0, most);
  }
  async function resources(word: string, mine: number): Promise<void> {
    const found = await getApi<{
      readonly resources: readonly { readonly mention: string; readonly title: string }[];
    }>(`/resources?${new URLSearchParams({ session }).toString()}`);
    if (mine !== asked || found.type !== 'ok') return;
    const more = found.value.resources
      .filter(({ mention, title }) => `${mention} ${title}`.toLowerCase().includes(word.toLowerCase()))
      .map(({ mention, title }) => ({ insert: `@${mention}`, about: title }));
    options = [...options, ...more].slice(0, most);
  }
  async function files(q: string, mine: number): Promise<void> {
    const found = await getApi<{ readonly files: readonly string[] }>(
      `/files?${new URLSearchParams({ q, session, limit: String(most) }).toString()}`,
    );
    if (mine !== asked || found.type !== 'ok') return;
    options = [...found.value.files.map((path) => ({ insert: `@${path}`, about: '' })), ...options].slice(0, most);
  }
  function take(index: number, change: (text: string) => void, field: HTMLTextAreaElement): void {
    const chosen = options[index];
    if (chosen === undefined) return;
    const place = field.selectionStart;
    const { from } = wordBefore(field.value, place);
    const before = `${field.value.slice(0, from)}${chosen.insert} `;
    change(before + field.value.slice(place).trimStart());
    clear();
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(before.length, before.length);
    });
  }
  return {
    get options() {
      return options;
    },
    get at() {
      return at;
    },
    look,
    take,
    clear,
    keydown(event, change, field) {
      if (options.length === 0) return false;
      if (event.key === 'ArrowDown') at = (at + 1) % options.length;
      else if (event.key === 'ArrowUp') at = (at + options.length - 1) % options.length;
      else if (event.key === 'Tab' || (event.key === 'Enter' && !isWhole(field.value))) take(at, change, field);
      else if (event.key === 'Escape') clear();
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

function commandsFor(word: string): readonly Option[] {
  return optionsFor(commands.list(), word);
}

function optionsFor(specs: readonly CommandSpec[], word: string): readonly Option[] {
  const begun = word.slice(1).toLowerCase();
  return specs
    .filter(({ name }) => name.startsWith(begun))
    .slice(0, most)
    .map(({ name, summary }) => ({ insert: `/${name}`, about: summary }));
}

/** Enter sends a fully typed command instead of completing it again. */
function isWhole(text: string): boolean {
  return commands.list().some(({ name }) => text.trim() === `/${name}`);
}
