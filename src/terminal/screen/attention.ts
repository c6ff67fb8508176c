/**
 * The terminal's title, and a bell with a desktop notification when something happened that the user isn't looking
 * at: something needs them, failed, or finished after a while. Pure: the caller writes the sequences.
 */
import { isolated } from '../../wording/isolates.ts';
import { withVisible } from '../../views/printable.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import type { Environment } from '../../ports/environment.ts';
import type { Chat } from '../chat/chat.ts';
import { cleanText } from '../chat/pasted-text.ts';
import type { Glyphs } from '../glyphs.ts';
import { throughTmux } from './through-tmux.ts';

export interface AttentionFacts {
  readonly project: string;
  readonly title: string;
  /** The open question. */
  readonly asked: { readonly id: string; readonly effect: string } | undefined;
  readonly isWorking: boolean;
  /** The last turn failed. */
  readonly hasFailed: boolean;
  readonly now: number;
}

interface Attention {
  /** What to write to the terminal now. Empty if nothing changed. */
  look(facts: AttentionFacts): string;
  focused(isFocused: boolean): void;
  /** Takes title and progress back. */
  end(): string;
}

interface AttentionOptions {
  readonly env: Environment;
  readonly glyphs: Pick<Glyphs, 'need' | 'working'>;
  /** False: only the title. */
  readonly notifies: boolean;
}

/** A turn that took this long is worth a notification. */
const longMs = 30_000;
const bell = '\u0007';
const mostTitle = 80;

export function createAttention({ env, glyphs, notifies }: AttentionOptions): Attention {
  const through = (sequence: string) => (env['TMUX'] === undefined ? sequence : throughTmux(sequence));
  // A terminal that doesn't report its focus counts as focused.
  let isFocused = true;
  let title: string | undefined;
  let asked: string | undefined;
  let workingSince: number | undefined;

  function titleOf({ project, title: name, asked: open, isWorking }: AttentionFacts): string {
    if (open !== undefined) return `${glyphs.need} ${project}: ${open.effect}`;
    return `${isWorking ? `${glyphs.working[0] ?? ''} ` : ''}${project}${name === '' ? '' : `: ${name}`}`;
  }

  /** News for the user since the last check. */
  function news({ asked: open, isWorking, hasFailed, title: name, now }: AttentionFacts): string | undefined {
    if (open !== undefined && open.id !== asked) return `Needs you: ${open.effect}`;
    if (workingSince === undefined || isWorking) return undefined;
    if (hasFailed) return `Failed: ${name}`;
    return now - workingSince >= longMs ? `Finished: ${name}` : undefined;
  }

  return {
    look(facts) {
      const parts: string[] = [];
      const next = oneTitle(titleOf(facts));
      if (next !== title) parts.push(`\u001B]2;${next}${bell}`);
      title = next;
      const words = news(facts);
      if (notifies && words !== undefined && !isFocused)
        parts.push(bell, through(notification(`${facts.project}: ${words}`, env)));
      const isStarting = facts.isWorking && workingSince === undefined;
      const isEnding = !facts.isWorking && workingSince !== undefined;
      if (notifies && (isStarting || isEnding) && showsProgress(env))
        parts.push(through(`\u001B]9;4;${isStarting ? 3 : 0}${bell}`));
      asked = facts.asked?.id;
      workingSince = facts.isWorking ? (workingSince ?? facts.now) : undefined;
      return parts.join('');
    },
    focused(now) {
      isFocused = now;
    },
    end: () =>
      `\u001B]2;${bell}${notifies && workingSince !== undefined && showsProgress(env) ? through(`\u001B]9;4;0${bell}`) : ''}`,
  };
}

/** OSC 99 for kitty, 777 for foot, urxvt and VTE, 9 for the others. */
function notification(text: string, env: Environment): string {
  const words = oneTitle(text);
  const term = env['TERM'] ?? '';
  if (env['KITTY_WINDOW_ID'] !== undefined || term.includes('kitty')) return `\u001B]99;;${words}\u001B\\`;
  if (env['VTE_VERSION'] !== undefined || /^(foot|rxvt)/.test(term))
    return `\u001B]777;notify;Rondo;${words.replaceAll(';', ',')}${bell}`;
  return `\u001B]9;${words}${bell}`;
}

/** Others take OSC 9;4 for a notification with that text. */
function showsProgress(env: Environment): boolean {
  const isKnown = env['WT_SESSION'] !== undefined || env['ConEmuPID'] !== undefined;
  return isKnown || env['TERM_PROGRAM'] === 'ghostty';
}

/** Text from a session can't end the sequence, start another, or reorder what a window's list shows. */
function oneTitle(text: string): string {
  return isolated(withVisible(cleanText(text)).replaceAll('\n', ' ').slice(0, mostTitle));
}

/** Undefined until the session is known. */
export function attentionFacts(chat: Chat | undefined, project: string, now: number): AttentionFacts | undefined {
  if (chat?.view.status === undefined) return undefined;
  const { question, isWorking, view } = chat;
  const { items } = view.transcript;
  const last = itemsBetween(items, Math.max(0, items.length - 1), items.length).at(-1);
  return {
    project,
    title: view.status?.title ?? '',
    asked: question === undefined ? undefined : { id: question.id, effect: effectHeading(question) },
    isWorking,
    hasFailed: last?.type === 'ending' && (last.ending.type === 'failed' || last.ending.type === 'timed-out'),
    now,
  };
}
