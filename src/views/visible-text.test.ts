import { expect, test } from 'vitest';

import { visibleLine, visibleText } from './visible-text.ts';

test('[S14] characters that hide or reorder text are shown as their codes', () => {
  expect(visibleText('rm \u202Etxt.\u200Bsafe\u2066 \u{E0041}\u001B[2K\u0007')).toBe(
    'rm ‹U+202E›txt.‹U+200B›safe‹U+2066› ‹U+E0041›‹U+001B›[2K‹U+0007›',
  );
});

test('[S14] spaces that look alike are distinguished', () => {
  expect(visibleText('a\u00A0b\tc\u3000d')).toBe('a‹U+00A0›b⇥c‹U+3000›d');
});

test('[S14] a carriage return cannot draw over what came before it, and lines stay lines', () => {
  expect(visibleText('one\r\ntwo\rthree')).toBe('one\ntwo‹U+000D›three');
  expect(visibleLine('one\ntwo')).toBe('one⏎two');
});

test('letters of every script stay as they are', () => {
  expect(visibleText('Grüße 東京 שלום é 🙂')).toBe('Grüße 東京 שלום é 🙂');
});
