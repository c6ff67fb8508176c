/** Commands in the composer: those of every front end, with their results shown on this page. */
import { resultLines } from '../../../src/commands/lines/result-lines.ts';
import type { CommandResult } from '../../../src/commands/command-result.ts';
import { commandsOf, runSlashCommand } from '../../../src/commands/run-command.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import type { Router } from '../shell/router.svelte.ts';
import { download } from './download.ts';
import type { LiveSession } from './live-session.svelte.ts';

/** The result of a command for display. Undefined if the text isn't a command. */
interface SlashOutcome {
  readonly say: string | undefined;
  /** True if the text stays in the composer for correction. */
  readonly isWrong: boolean;
}

interface SlashPlace {
  readonly app: RondoApp;
  readonly router: Router;
  readonly live: Pick<LiveSession, 'id' | 'show'>;
}

export const commands = commandsOf('screen');

export async function runSlash(
  text: string,
  { app, router, live }: SlashPlace,
): Promise<SlashOutcome | undefined> {
  const { client } = app;
  const place = { rondo: client.rondo, session: client.session(live.id), commands, save: download };
  try {
    const result = await runSlashCommand(text, place);
    return result === undefined ? undefined : await shown(result, { router, live });
  } catch (error) {
    return { say: (error as Error).message, isWrong: true };
  }
}

async function shown(result: CommandResult, { router, live }: Omit<SlashPlace, 'app'>): Promise<SlashOutcome> {
  switch (result.type) {
    case 'leave':
      router.go('/');
      return done;
    case 'open':
      router.go(`/s/${result.session.id}`);
      return done;
    case 'clear':
      live.show(0);
      return done;
    case 'history':
      live.show(result.count);
      return done;
    case 'answered':
      return done;
    case 'copy':
      await navigator.clipboard.writeText(result.text);
      return { say: `Copied ${result.what}.`, isWrong: false };
    default:
      return { say: (await resultLines(result)).join('\n'), isWrong: result.type === 'refused' };
  }
}

const done: SlashOutcome = { say: undefined, isWrong: false };
