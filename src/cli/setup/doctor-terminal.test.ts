import { expect, test } from 'vitest';

import { checkTerminal } from './doctor-terminal.ts';

const good: Readonly<Record<string, string>> = {
  'escape-time': '10',
  'extended-keys': 'on',
  'allow-passthrough': 'on',
  'focus-events': 'on',
};
const tmux = { TERM: 'tmux-256color', COLORTERM: 'truecolor', TMUX: '/tmp/tmux' };

test('[C126] doctor names the tmux options that the chat needs, with the line to set them', async () => {
  expect(await checkTerminal(tmux, async (name) => good[name])).toEqual({
    health: 'good',
    found: 'tmux-256color, truecolor, in tmux',
  });
  const old = { 'escape-time': '500', 'extended-keys': 'off', 'focus-events': 'off' };
  expect(await checkTerminal(tmux, async (name) => old[name as keyof typeof old])).toEqual({
    health: 'missing',
    found: 'tmux-256color, truecolor, in tmux',
    advice: [
      'set -sg escape-time 10: Esc waits 500 ms now',
      'set -g extended-keys on: Shift+Enter and Ctrl+Enter (until then: Alt+Enter, Ctrl+S)',
      'set -g allow-passthrough on: desktop notifications and the clipboard',
      'set -g focus-events on: notifications while you look elsewhere',
    ].join('; '),
  });
});

test('[C126] doctor says which keys a terminal takes, and asks tmux only inside tmux', async () => {
  const never = () => Promise.reject(new Error('not in tmux'));
  expect(await checkTerminal({ TERM: 'xterm-256color', WT_SESSION: '1' }, never)).toMatchObject({
    health: 'missing',
    advice: 'Windows Terminal takes Ctrl+V: /paste pastes an image',
  });
  expect(await checkTerminal({ TERM: 'xterm' }, never)).toEqual({ health: 'good', found: 'xterm, 16 colors' });
  expect(await checkTerminal({}, never)).toEqual({
    health: 'good',
    found: 'no full screen; the chat prints lines',
  });
});
