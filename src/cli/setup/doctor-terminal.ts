/** Missing features of this terminal, and what to change or press instead. */
import { colorDepthOf } from '../../terminal/theme.ts';
import type { Environment } from '../../ports/environment.ts';
import type { Finding } from './doctor-finding.ts';

/** The value of a tmux option. Undefined if tmux doesn't know it. */
type TmuxOption = (name: string) => Promise<string | undefined>;

const depths = { none: 'no color', sixteen: '16 colors', palette: '256 colors', full: 'truecolor' } as const;

export async function checkTerminal(env: Environment, option: TmuxOption): Promise<Omit<Finding, 'what'>> {
  const term = env['TERM'];
  if (term === undefined || term === 'dumb')
    return { health: 'good', found: 'no full screen; the chat prints lines' };
  const isTmux = env['TMUX'] !== undefined;
  const advice = [...programNotes(env), ...(isTmux ? await tmuxNotes(option) : [])];
  return {
    health: advice.length === 0 ? 'good' : 'missing',
    found: `${term}, ${depths[colorDepthOf(env)]}${isTmux ? ', in tmux' : ''}`,
    ...(advice.length > 0 && { advice: advice.join('; ') }),
  };
}

/** Each option, the value that it should have, and what is missing without it. */
async function tmuxNotes(option: TmuxOption): Promise<readonly string[]> {
  const escapeMs = Number((await option('escape-time')) ?? 0);
  const wanted: readonly (readonly [string, string, string])[] = [
    ['extended-keys', 'set -g extended-keys on', 'Shift+Enter and Ctrl+Enter (until then: Alt+Enter, Ctrl+S)'],
    ['allow-passthrough', 'set -g allow-passthrough on', 'desktop notifications and the clipboard'],
    ['focus-events', 'set -g focus-events on', 'notifications while you look elsewhere'],
  ];
  const notes = await Promise.all(
    wanted.map(async ([name, line, gives]) => {
      const value = await option(name);
      return value === undefined || value === 'off' ? [`${line}: ${gives}`] : [];
    }),
  );
  const slow = escapeMs > 25 ? [`set -sg escape-time 10: Esc waits ${escapeMs} ms now`] : [];
  return [...slow, ...notes.flat()];
}

function programNotes(env: Environment): readonly string[] {
  const notes: string[] = [];
  if (env['WT_SESSION'] !== undefined) notes.push('Windows Terminal takes Ctrl+V: /paste pastes an image');
  if (env['TERM_PROGRAM'] === 'vscode') notes.push('VS Code takes Ctrl+P: Alt+P or /sessions lists sessions');
  if (env['TERM_PROGRAM'] === 'Apple_Terminal')
    notes.push(
      'turn on "Use Option as Meta Key", or use /model for Alt+M, /queue for Alt+↑, Ctrl+J for Alt+Enter',
    );
  return notes;
}
