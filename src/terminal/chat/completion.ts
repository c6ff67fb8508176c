/** Completes `/command` with its first argument, and `@file`. */
import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui';

import { modes } from '../../kernel/mode.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { answerWithin } from '../../commands/answer-within.ts';
import { fileCommandSpec } from '../../commands/help.ts';
import type { CommandRegistry, CommandSpec } from '../../commands/registry.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { oneLine } from '../../views/one-line.ts';
import type { ChatBackend } from './chat-backend.ts';
import { latelyListed } from './lately-listed.ts';
import { menuText } from './menu-text.ts';
import { commandsIn, hasLetters, rankedCommands } from './rank-commands.ts';

interface CompletionSources {
  readonly commands: () => CommandRegistry | undefined;
  /** Commands of this screen alone. */
  readonly more?: readonly CommandSpec[];
  readonly backend: () => ChatBackend | undefined;
  /** The session whose commands and MCP servers count. */
  readonly session?: () => SessionId | undefined;
  /** Typed lines, newest first. */
  readonly recent?: () => readonly string[];
  /** The key that does the same as a command. */
  readonly keyOf?: (command: string) => string | undefined;
}

/** Once a slow server has started, a later key finds its items. */
const typingMs = 300;

export function createCompletion({
  commands,
  more = [],
  backend,
  session,
  recent = () => [],
  keyOf = () => undefined,
}: CompletionSources): AutocompleteProvider {
  /** Commands from files and prompts of MCP servers, as last listed. */
  let listed: readonly CommandSpec[] = [];
  let origins: ReadonlyMap<string, string> = new Map();
  const describe = ({ name, summary }: CommandSpec) => {
    const origin = origins.get(name);
    // The origin stands at the right, as the keys of other commands do.
    return origin !== undefined && summary.endsWith(` (${origin})`)
      ? menuText(summary.slice(0, -origin.length - 3), origin)
      : menuText(summary, keyOf(name) ?? '');
  };
  const sessions = latelyListed(async () => {
    const found = (await backend()?.sessions({})) ?? [];
    const isOther = (one: DirectoryEntry) =>
      one.parent === undefined && one.turns > 0 && one.session !== session?.();
    return found.filter(isOther).map(({ session: id, title }) => ({
      value: `session:${id}`,
      label: oneLine(title) || id,
      description: 'session',
    }));
  });
  const resources = latelyListed(async () =>
    ((await backend()?.resources(session?.())) ?? []).map(({ mention, title }) => ({
      value: mention,
      label: mention,
      description: title,
    })),
  );
  /** Values of a command's first argument. */
  async function valuesFor(command: string): Promise<readonly AutocompleteItem[]> {
    switch (command) {
      case 'agent':
        return ((await backend()?.agents()) ?? []).map(({ name, from }) => ({
          value: name,
          label: name,
          description: from,
        }));
      case 'model':
        return ((await backend()?.models()) ?? []).map(({ id }) => ({ value: id, label: id }));
      case 'mode':
        return Object.keys(modes).map((name) => ({ value: name, label: name }));
      case 'help':
        return (commands()?.list() ?? []).map(({ name, summary }) => ({
          value: name,
          label: name,
          description: summary,
        }));
      case 'resume':
        return ((await backend()?.sessions({})) ?? []).map(({ session, title }) => ({
          value: session,
          label: session,
          description: title,
        }));
      default:
        return [];
    }
  }

  function allCommands(): readonly CommandSpec[] {
    const own = [...(commands()?.list() ?? []), ...more];
    return [...own, ...listed.filter(({ name }) => !own.some((one) => one.name === name))];
  }

  function list(files: Awaited<ReturnType<ChatBackend['commands']>>): void {
    listed = files.map(fileCommandSpec);
    origins = new Map(files.map(({ name, from }) => [name, from]));
  }

  async function itemsFor({ mark, word, command }: Meant): Promise<readonly AutocompleteItem[]> {
    if (mark === '@') return await mentionsFor(word);
    if (mark === '') return (await valuesFor(command)).filter(({ value }) => value.startsWith(word));
    // Results that arrive too late for this key serve a later one.
    await answerWithin(backend()?.commands(session?.()).then(list), typingMs, undefined);
    return rankedCommands(allCommands(), word.toLowerCase(), commandsIn(recent())).map((spec) => ({
      value: spec.name,
      label: `/${spec.name}`,
      description: describe(spec),
    }));
  }

  /** A whole name that was typed means itself. */
  function isOffered(value: string, word: string): boolean {
    const all = allCommands();
    const isWhole = all.some(({ name }) => name === word);
    return isWhole ? value === word : rankedCommands(all, word).some(({ name }) => name === value);
  }

  /** Files, then sessions and resources of MCP servers. The list never waits for those two. */
  async function mentionsFor(word: string): Promise<readonly AutocompleteItem[]> {
    const others = [...sessions(), ...resources()];
    const files = (await backend()?.files(word)) ?? [];
    const wanted = word.toLowerCase().replace(/^session:/, '');
    const isMeant = (text: string) => (wanted.length < 3 ? text.includes(wanted) : hasLetters(text, wanted));
    return [
      ...files.map((name) => ({ value: name, label: name })),
      ...others.filter(({ value, label, description }) =>
        isMeant(`${value} ${label} ${description}`.toLowerCase()),
      ),
    ];
  }

  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, cursorLine, cursorCol) {
      const meant = meantAt(lines, cursorLine, cursorCol);
      if (meant === undefined) return null;
      const items = await itemsFor(meant);
      // A whole name stays in the list, so that Enter runs it and not a longer one. Alone it needs no list.
      const others = items.filter(({ value }) => value !== meant.word);
      if (others.length === 0) return null;
      return { items: [...(meant.mark === '/' ? items : others)], prefix: `${meant.mark}${meant.word}` };
    },
    // Uses the current text, not the text for which the list was created.
    applyCompletion(lines, cursorLine, cursorCol, { value }) {
      const meant = meantAt(lines, cursorLine, cursorCol);
      const isStale =
        meant === undefined ||
        (meant.mark === '' && !value.startsWith(meant.word)) ||
        (meant.mark === '/' && !isOffered(value, meant.word.toLowerCase()));
      if (isStale) return { lines, cursorLine, cursorCol };
      const line = lines[cursorLine] ?? '';
      const before = `${line.slice(0, cursorCol - meant.word.length)}${value}`;
      const after = line.slice(cursorCol);
      // A folder is completed further.
      const gap = meant.mark === '@' && !after.startsWith(' ') && !value.endsWith('/') ? ' ' : '';
      return {
        lines: lines.with(cursorLine, `${before}${gap}${after}`),
        cursorLine,
        cursorCol: before.length + gap.length,
      };
    },
    shouldTriggerFileCompletion: () => false,
  };
}

interface Meant {
  /** `@` for a file, `/` for a command, empty for a command's argument. */
  readonly mark: '@' | '/' | '';
  readonly word: string;
  readonly command: string;
}

function meantAt(lines: readonly string[], cursorLine: number, cursorCol: number): Meant | undefined {
  const before = (lines[cursorLine] ?? '').slice(0, cursorCol);
  const file = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before)?.[1];
  if (file !== undefined) return { mark: '@', word: file, command: '' };
  if (cursorLine > 0) return undefined;
  const [, command, gap, argument = ''] = /^\/([\w:-]*)(?:(\s+)(\S*))?$/.exec(before) ?? [];
  if (command === undefined) return undefined;
  return gap === undefined
    ? { mark: '/', word: command, command }
    : { mark: '', word: argument, command: command.toLowerCase() };
}
