/** Completes `/command` with its first argument, and `@file`. */
import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui';

import { modes } from '../../kernel/mode.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { answerWithin } from '../../commands/answer-within.ts';
import { fileCommandSpec } from '../../commands/help.ts';
import type { CommandRegistry, CommandSpec } from '../../commands/registry.ts';
import type { ChatBackend } from './chat-backend.ts';

export interface CompletionSources {
  readonly commands: () => CommandRegistry | undefined;
  /** Commands of this screen alone. */
  readonly more?: readonly CommandSpec[];
  readonly backend: () => ChatBackend | undefined;
  /** The session whose commands and MCP servers count. */
  readonly session?: () => SessionId | undefined;
}

/** Once a slow server has started, a later key finds its items. */
const typingMs = 300;

export function createCompletion({
  commands,
  more = [],
  backend,
  session,
}: CompletionSources): AutocompleteProvider {
  /** Commands from files and prompts of MCP servers, as last listed. */
  let listed: readonly CommandSpec[] = [];
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
        return ((await backend()?.models()) ?? []).map((name) => ({ value: name, label: name }));
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

  async function itemsFor({ mark, word, command }: Meant): Promise<readonly AutocompleteItem[]> {
    if (mark === '@') return await mentionsFor(word);
    if (mark === '') return (await valuesFor(command)).filter(({ value }) => value.startsWith(word));
    const files = await answerWithin(backend()?.commands(session?.()), typingMs, undefined);
    if (files !== undefined) listed = files.map(fileCommandSpec);
    return bestFirst(allCommands(), word.toLowerCase()).map(({ name, summary }) => ({
      value: name,
      label: `/${name}`,
      description: summary,
    }));
  }

  /** A whole name that was typed means itself. */
  function isOffered(value: string, word: string): boolean {
    const all = allCommands();
    const isWhole = all.some(({ name }) => name === word);
    return isWhole ? value === word : bestFirst(all, word).some(({ name }) => name === value);
  }

  /** Files first, then resources of MCP servers. */
  async function mentionsFor(word: string): Promise<readonly AutocompleteItem[]> {
    const [files = [], resources] = await Promise.all([
      backend()?.files(word),
      answerWithin(backend()?.resources(session?.()), typingMs, []),
    ]);
    const wanted = word.toLowerCase();
    return [
      ...files.map((name) => ({ value: name, label: name })),
      ...resources
        .filter(({ mention, title }) => `${mention} ${title}`.toLowerCase().includes(wanted))
        .map(({ mention, title }) => ({ value: mention, label: mention, description: title })),
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

/** Names that start with the word, then names and descriptions that contain it. */
function bestFirst(all: readonly CommandSpec[], word: string): readonly CommandSpec[] {
  const ranked = all.map((command) => {
    const { name, summary, aliases = [] } = command;
    const names = [name, ...aliases];
    if (name === word) return { command, rank: -1 };
    if (names.some((own) => own.startsWith(word))) return { command, rank: 0 };
    if (word.length > 1 && names.some((own) => own.includes(word))) return { command, rank: 1 };
    return { command, rank: word.length > 2 && summary.toLowerCase().includes(word) ? 2 : 3 };
  });
  return [-1, 0, 1, 2].flatMap((rank) => ranked.filter((one) => one.rank === rank).map(({ command }) => command));
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
