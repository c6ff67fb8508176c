/** Global keyboard shortcuts, and the dialogs they open. */
import { tick } from 'svelte';

import type { Router } from './router.svelte.ts';

export type Dialog = 'palette' | 'help' | 'new-session';

export interface Keyboard {
  readonly dialog: Dialog | undefined;
  open(dialog: Dialog): void;
  close(): void;
  /** Returns, once, the text typed while the dialog was opening. */
  takeTyped(): string;
  /** True, once, if Enter followed that text. */
  takeEntered(): boolean;
  /** Before anything else sees the key: the second key of `g a` isn't an answer to a request. */
  readonly keydownFirst: (event: KeyboardEvent) => void;
  readonly keydown: (event: KeyboardEvent) => void;
}

export const shortcuts = [
  { keys: ['Ctrl', 'K'], does: 'Search or run a command' },
  { keys: ['/'], does: 'Focus the message field or the search' },
  { keys: ['c'], does: 'New session' },
  { keys: ['?'], does: 'Keyboard shortcuts' },
  { keys: ['Esc'], does: 'Close; twice in a session: stop the turn' },
  { keys: ['g', 'h'], does: 'Go to sessions' },
  { keys: ['g', 'i'], does: 'Go to inbox' },
  { keys: ['g', 'u'], does: 'Go to usage' },
  { keys: ['g', 's'], does: 'Go to settings' },
  { keys: ['g', 'w'], does: 'Go to workers and jobs' },
  { keys: ['g', 'a'], does: 'Go to audit log' },
  { keys: ['j', 'k'], does: 'Next or previous item' },
  { keys: ['y'], does: 'Allow once (twice if it can’t be undone)' },
  { keys: ['s'], does: 'Allow this session' },
  { keys: ['a'], does: 'Always allow' },
  { keys: ['n'], does: 'Deny' },
  { keys: ['r'], does: 'Deny with a reason' },
  { keys: ['Shift', 'y'], does: 'Allow all like this' },
  { keys: ['z'], does: 'Snooze' },
  { keys: ['x'], does: 'Select' },
  { keys: ['o'], does: 'Open the session' },
  { keys: ['1–9'], does: 'Choose an option' },
  { keys: ['f'], does: 'Find in conversation' },
  { keys: ['v'], does: 'Mark a changed file as viewed' },
  { keys: ['Enter'], does: 'Send or queue (Shift+Enter adds a line)' },
  { keys: ['Ctrl', 'Enter'], does: 'Steer the current turn' },
] as const;

const places: Readonly<Record<string, string>> = {
  h: '/',
  i: '/inbox',
  w: '/workers',
  u: '/usage',
  s: '/settings',
  a: '/audit',
};

export function createKeyboard(router: Router): Keyboard {
  let dialog = $state<Dialog>();
  let isGoing = false;
  let before: Element | null = null;
  let typed = '';
  let isEntered = false;
  /** Keys pressed after `/` on a screen whose field is still loading. */
  let early: string[] | undefined;

  function open(next: Dialog): void {
    if (dialog === undefined) before = document.activeElement;
    dialog = next;
    typed = '';
    isEntered = false;
  }
  function close(): void {
    dialog = undefined;
    const back = before;
    // Until the dialog is gone, nothing else takes the focus.
    void tick().then(() => {
      if (back instanceof HTMLElement) back.focus();
      if (document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true });
    });
  }
  function keydownFirst(event: KeyboardEvent): void {
    const place = isGoing ? places[event.key] : undefined;
    if (place === undefined || dialog !== undefined || isTyping(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    isGoing = false;
    event.preventDefault();
    event.stopImmediatePropagation();
    router.go(place);
  }
  function keydown(event: KeyboardEvent): void {
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return dialog === 'palette' ? close() : open('palette');
    }
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    // Once it is there, keys are its own: Space presses its buttons.
    const isOpening = dialog !== undefined && document.querySelector('dialog[open]') === null;
    if (isOpening && !isTyping(event.target) && (isLetter || event.key === 'Enter')) {
      if (isLetter) typed += event.key;
      else isEntered = true;
      return event.preventDefault();
    }
    if (early !== undefined && !isTyping(event.target) && (isLetter || event.key === 'Enter')) {
      early.push(event.key);
      return event.preventDefault();
    }
    if (dialog !== undefined || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    isGoing = event.key === 'g';
    if (event.key === '?') open('help');
    else if (event.key === 'c') open('new-session');
    else if (event.key === '/') focusField(performance.now() + patienceMs);
    else return;
    event.preventDefault();
  }
  /** Focuses the screen's main field once it is there, and gives it the keys that were pressed until then. */
  function focusField(until: number): void {
    const field = document.querySelector<HTMLElement>('[data-main-field]');
    if (field === null && performance.now() < until) {
      early ??= [];
      requestAnimationFrame(() => focusField(until));
      return;
    }
    const keys = early ?? [];
    early = undefined;
    field?.focus();
    if (field !== null) for (const key of keys) pressIn(field, key);
  }
  return {
    get dialog() {
      return dialog;
    },
    open,
    close,
    takeTyped() {
      const taken = typed;
      typed = '';
      return taken;
    },
    takeEntered() {
      const taken = isEntered;
      isEntered = false;
      return taken;
    },
    keydownFirst,
    keydown,
  };
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** How long `/` waits for a screen to load. */
const patienceMs = 5000;

function pressIn(field: HTMLElement, key: string): void {
  if (key === 'Enter') field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  else if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
    field.setRangeText(key, field.value.length, field.value.length, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
}
