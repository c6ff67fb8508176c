/** Lists to choose from, as numbered lines: the next typed line is the number. */
import type { CommandResult } from '../../commands/command-result.ts';
import { resultLines } from '../../commands/lines/result-lines.ts';
import { previewOf } from '../../kernel/content.ts';
import { modeChoices } from '../chat/mode-choices.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import { oneLine } from '../../views/one-line.ts';
import type { Chat, Screen } from '../chat/chat.ts';

interface LineLists {
  readonly lists: NonNullable<Screen['lists']>;
  /** Resolves once the last list is printed. */
  printed(): Promise<void>;
}

interface LineListsParts {
  readonly rondo: () => RondoClient;
  readonly chat: () => Chat;
  readonly print: (text: string) => void;
  /** The next line goes here. */
  readonly expect: (take: (line: string) => Promise<void> | void) => void;
  readonly onProblem: (error: unknown) => void;
}

export function createLineLists({ rondo, chat, print, expect, onProblem }: LineListsParts): LineLists {
  let printing: Promise<void> = Promise.resolve();
  const look = (work: () => Promise<void>) => {
    printing = work().catch(onProblem);
  };
  const show = (result: CommandResult) => look(async () => print(`${(await resultLines(result)).join('\n')}\n`));

  function list(title: string, rows: readonly string[], choose: (index: number) => Promise<void> | void): void {
    if (rows.length === 0) return print(`${title}: none\n`);
    const numbered = rows.map((row, index) => `  ${index + 1}  ${row}\n`).join('');
    print(`${title}:\n${numbered}Type a number, or anything else to go back.\n`);
    expect((line) => {
      const index = Number(line.trim()) - 1;
      if (rows[index] !== undefined) return choose(index);
      // A slash command also works while a list is open.
      return line.startsWith('/') ? chat().submit(line) : print('Nothing chosen.\n');
    });
  }
  const named = (title: string, names: readonly string[], command: string, current?: string) =>
    list(
      title,
      names.map((name) => (name === current ? `${name}, current` : name)),
      (index) => chat().submit(`${command} ${names[index] ?? ''}`),
    );

  return {
    printed: () => printing,
    lists: {
      showText: (_title, text) => print(`${text}\n`),
      pickSession: (words) =>
        look(async () => {
          const [found, archived] = await Promise.all([
            rondo().sessions(words === '' ? {} : { q: words }),
            rondo().archived(),
          ]);
          // Workers' sessions belong to the one that they work for.
          const entries = found.filter(({ session, parent }) => parent === undefined && !archived.has(session));
          const rows = entries.map(
            ({ title, session, state, isInterrupted }) =>
              `${oneLine(title) || session}, ${isInterrupted === true ? 'interrupted' : state}`,
          );
          list('Sessions', rows, (index) => chat().open(entries[index]?.session ?? ''));
        }),
      pickModel: (current) =>
        look(async () => {
          const models = await rondo().models();
          named(
            'Models',
            models.map(({ id }) => id),
            '/model',
            current ?? models[0]?.id,
          );
        }),
      pickAgent: (current) =>
        look(async () => {
          const agents = await rondo().agents();
          named(
            'Agents',
            agents.map(({ name }) => name),
            '/agent',
            current,
          );
        }),
      pickMode: (current) =>
        named(
          'Modes',
          modeChoices.map(({ name }) => name),
          '/mode',
          current,
        ),
      pickRewind(points) {
        const rows = points.map(({ text }) => oneLine(previewOf(text)));
        list('Rewind to before', rows, (index) => chat().submit(`/rewind #${points[index]?.number ?? 0}`));
      },
      showInbox: (requests) => show({ type: 'inbox', requests }),
      showChanges: (changes) => show({ type: 'changes', changes }),
      showJobs: () => look(async () => show({ type: 'jobs', jobs: await rondo().jobs() })),
    },
  };
}
