import { expect, test } from 'vitest';

import { contrastOf, isLight, readableOn, rgbOf } from './contrast.ts';
import { inkNames, palettes } from './palette.ts';
import { createPaint, themeFromEnvironment } from './theme.ts';

test('[C126] every color of text reads well on common backgrounds', () => {
  const grounds = {
    dark: ['#000000', '#0e0f11', '#1e1e1e', '#282c34', '#002b36'],
    light: ['#ffffff', '#fdf6e3'],
    'dark-safe': ['#000000', '#1e1e1e'],
    'light-safe': ['#ffffff'],
  } as const;
  const weak = Object.entries(grounds).flatMap(([name, backgrounds]) =>
    inkNames
      .filter((ink) => ink !== 'rule')
      .flatMap((ink) => {
        const shade = palettes[name as keyof typeof palettes].inks[ink];
        const worst = Math.min(
          ...backgrounds.map((ground) =>
            shade === undefined ? 21 : contrastOf(rgbOf(shade.full), rgbOf(ground)),
          ),
        );
        return worst < 4.5 ? [`${name} ${ink} ${worst.toFixed(1)}`] : [];
      }),
  );
  expect(weak).toEqual([]);
});

test('[C126] on an unusual background a color is moved until it reads well', () => {
  const ground = rgbOf('#5f6b7a');
  const shown = readableOn(ground, rgbOf('#92959d'));
  expect([contrastOf(rgbOf('#92959d'), ground) < 4.5, contrastOf(shown, ground) >= 4.5]).toEqual([true, true]);
  expect([isLight(rgbOf('#ffffff')), isLight(rgbOf('#1e1e1e'))]).toEqual([true, false]);
});

test('[C126] without colors only bold and underline remain, with sixteen the changed words are underlined', () => {
  const none = createPaint({}, { depth: 'none' });
  expect([none.need('x'), none.selected('x'), none.addedWord('x'), none.band('x')]).toEqual([
    'x',
    '\u001B[1mx\u001B[22m',
    '\u001B[4mx\u001B[24m',
    'x',
  ]);
  const sixteen = createPaint({}, { depth: 'sixteen' });
  expect([sixteen.need('x'), sixteen.removedWord('x')]).toEqual(['\u001B[95mx\u001B[39m', '\u001B[4mx\u001B[24m']);
});

test('a reset inside a ground doesn’t end it', () => {
  const { band } = createPaint({}, { depth: 'palette' });
  expect(band('a\u001B[0mb')).toBe('\u001B[48;5;234ma\u001B[0m\u001B[48;5;234mb\u001B[49m');
});

test('COLORFGBG chooses the theme until the terminal answers', () => {
  expect([{ COLORFGBG: '0;15' }, { COLORFGBG: '15;0' }, {}].map(themeFromEnvironment)).toEqual([
    'light',
    'dark',
    'dark',
  ]);
});
