// The rows of the drawn screens (design of the second edition), to the column.
import { expect, test } from 'vitest';
import { visibleWidth } from '@earendil-works/pi-tui';

import { footerFacts } from '../../testing/footer-facts.ts';
import { asciiLook, plainLook } from '../../testing/plain-look.ts';
import { footerLines, serverName, type FooterFacts } from './footer.ts';
import { keyHints } from './key-hints.ts';
import { titleRule } from './title-rule.ts';

const shown = (facts: FooterFacts, width: number) => footerLines(facts, plainLook(width));

test('[C126] the footer at 120 and 60 columns is the drawn one', () => {
  expect(shown(footerFacts, 120)).toEqual([
    '  ask  ·  claude-sonnet-5-5               22% context  ·  $0.31 of $2.00  ·  lumen-shop:cart-rounding +26 −8  ·  local',
  ]);
  expect(shown(footerFacts, 60)).toEqual(['  ask · sonnet-5-5     22% · $0.31 · cart-rounding · local']);
  expect(
    shown(
      { ...footerFacts, mode: { name: 'accept edits', tone: 'accept' }, changes: { added: 64, removed: 0 } },
      120,
    ),
  ).toEqual([
    '  » accept edits  ·  claude-sonnet-5-5       22% context  ·  $0.31 of $2.00  ·  lumen-shop:cart-rounding +64  ·  local',
  ]);
  expect(shown({ ...footerFacts, server: 'http://studio:4747', isLost: true, isModelFailing: true }, 120)).toEqual(
    [
      '  ask  ·  claude-sonnet-5-5 ◌          22% context  ·  $0.31 of $2.00  ·  lumen-shop:cart-rounding +26 −8  ·  ◌ studio',
    ],
  );
});

test('[C126] no width from 40 to 300 loses mode, model, context, cost, branch or server', () => {
  for (let width = 40; width <= 300; width += 1) {
    const lines = shown(footerFacts, width);
    const text = lines.join('\n');
    expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
    expect(lines.length).toBe(width < 56 ? 2 : 1);
    for (const fact of ['ask', 'sonnet-5-5', '22%', '$0.31', 'cart-rounding', 'local'])
      expect(text).toContain(fact);
  }
});

test('a narrower screen drops words, then changes, then the project, then the prefix', () => {
  expect([106, 92, 80, 74].map((width) => shown(footerFacts, width)[0]?.trim().replaceAll(/ +/g, ' '))).toEqual([
    'ask · claude-sonnet-5-5 22% · $0.31 · lumen-shop:cart-rounding +26 −8 · local',
    'ask · claude-sonnet-5-5 22% · $0.31 · lumen-shop:cart-rounding +26 −8 · local',
    'ask · claude-sonnet-5-5 22% · $0.31 · lumen-shop:cart-rounding · local',
    'ask · claude-sonnet-5-5 22% · $0.31 · cart-rounding · local',
  ]);
});

test('figures without a limit, a window or a price name what is missing', () => {
  const { costLimit: _, ...rest } = footerFacts;
  const free = {
    ...rest,
    costLimit: undefined,
    context: { tokens: 14_100 },
    usage: { cost: 0.2, costIsKnown: false, unpricedCalls: 1 },
  };
  expect(shown(free, 120)[0]).toContain('14.1k tokens  ·  $0.20 + 1 unpriced  ·  lumen-shop');
  expect(['http://127.0.0.1:4747', 'http://localhost:1', 'https://studio.example:4747'].map(serverName)).toEqual([
    'local',
    'local',
    'studio.example',
  ]);
});

test('[C126] the title rule names the session and what waits elsewhere', () => {
  const title = { title: 'Cart total is off by a cent', label: '', waiting: 1, below: 0 };
  expect(titleRule(title, plainLook(120))).toBe(
    '── Cart total is off by a cent ──────────────────────────────────────────────────────────────── ● 1 needs you  Ctrl+N ──',
  );
  expect(titleRule({ ...title, waiting: 2 }, plainLook(120))).toBe(
    '── Cart total is off by a cent ───────────────────────────────────────────────────────────────── ● 2 need you  Ctrl+N ──',
  );
  expect(titleRule(title, plainLook(60))).toBe('── Cart total is off by a cent ────────────────────── ● 1 ──');
  expect(titleRule({ ...title, waiting: 0 }, plainLook(60))).toBe(
    '── Cart total is off by a cent ─────────────────────────────',
  );
  expect(titleRule({ ...title, below: 84 }, asciiLook(60))).toBe(
    '-- Cart total is off by a cent ------ v 84 new lines  End --',
  );
});

test('[C126] the keys of each state, as drawn', () => {
  expect(keyHints('idle', plainLook(120))).toBe(
    '  Enter send   Shift+Tab mode   / commands   @ files   ! shell   ? all keys',
  );
  expect(keyHints('idle', plainLook(60))).toBe('  Enter send  Shift+Tab mode  / commands  ? keys');
  expect(keyHints('turn', plainLook(120))).toBe(
    '  Enter queue   Ctrl+S steer now   Esc interrupt   Ctrl+O open blocks   ? all keys',
  );
  expect(keyHints('turn', plainLook(60))).toBe('  Enter queue  Ctrl+S steer  Esc interrupt');
  expect(keyHints('danger', plainLook(60))).toBe('  ↑↓ choose  Tab type  Esc later  ? keys');
  expect(keyHints('edit-request', plainLook(60))).toBe('  ↑↓ choose  Enter confirm  Esc later  ? keys');
  expect(keyHints('typing', plainLook(120))).toBe('');
});
