/** Completes `/command` with its first argument, and `@file`. */
import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui';

import { modes } from '../../kernel/mode.ts';
import type { CommandRegistry } from '../../commands/registry.ts';
import type { ChatBackend } from './chat-backend.ts';

export interface CompletionSources {
  readonly commands: () => CommandRegistry | undefined;
  readonly backend: () => ChatBackend | undefined;
}

export function createCompletion({ commands, backend }: CompletionSources): AutocompleteProvider {
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

  async function itemsFor({ mark, word, command }: Meant): Promise<readonly AutocompleteItem[]> {
    if (mark === '@') return ((await backend()?.files(word)) ?? []).map((name) => ({ value: name, label: name }));
    if (mark === '') return (await valuesFor(command)).filter(({ value }) => value.startsWith(word));
    return (commands()?.list() ?? [])
      .filter(({ name }) => name.startsWith(word.toLowerCase()))
      .map(({ name, summary }) => ({ value: name, label: `/${name}`, description: summary }));
  }

  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, cursorLine, cursorCol) {
      const meant = meantAt(lines, cursorLine, cursorCol);
      if (meant === undefined) return null;
      const items = (await itemsFor(meant)).filter(({ value }) => value !== meant.word);
      return items.length === 0 ? null : { items: [...items], prefix: `${meant.mark}${meant.word}` };
    },
    // Uses the current text, not the text for which the list was created.
    applyCompletion(lines, cursorLine, cursorCol, { value }) {
      const meant = meantAt(lines, cursorLine, cursorCol);
      const isStale = meant === undefined || (meant.mark !== '@' && !value.startsWith(meant.word));
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
  const [, command, gap, argument = ''] = /^\/([\w-]*)(?:(\s+)(\S*))?$/.exec(before) ?? [];
  if (command === undefined) return undefined;
  return gap === undefined
    ? { mark: '/', word: command, command }
    : { mark: '', word: argument, command: command.toLowerCase() };
}
