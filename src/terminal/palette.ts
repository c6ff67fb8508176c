import { optional } from '../kernel/optional.ts';

/**
 * The colors of each theme by meaning: for truecolor, for 256 colors and for 16. The terminal's own foreground and
 * background stay. `undefined` is the terminal's default. The safe themes use two hues only, so shapes and words
 * carry every other state.
 */
export type ThemeName = 'dark' | 'light' | 'dark-safe' | 'light-safe';

export const themeNames: readonly ThemeName[] = ['dark', 'light', 'dark-safe', 'light-safe'];

export interface Shade {
  readonly full: string;
  readonly palette: number | undefined;
  /** An SGR code. */
  readonly sixteen?: number;
}

type Shades<Name extends string> = Readonly<Record<Name, Shade | undefined>>;

export type InkName = (typeof inkNames)[number];
export type GroundName = 'band' | 'selected' | 'addedLine' | 'addedWord' | 'removedLine' | 'removedWord';

export const inkNames = [
  'ink2',
  'ink3',
  'rule',
  'need',
  'work',
  'done',
  'fail',
  'warn',
  'accept',
  'auto',
  'keyword',
  'string',
  'number',
  'called',
] as const;

export interface Palette {
  readonly inks: Shades<InkName>;
  readonly grounds: Shades<GroundName>;
}

const shade = (full: string, palette: number | undefined, sixteen?: number): Shade => ({
  full,
  palette,
  ...optional({ sixteen }),
});

const dark: Palette = {
  inks: {
    ink2: shade('#b5b7bd', 250),
    ink3: shade('#92959d', 246, 90),
    rule: shade('#34373d', 237, 90),
    need: shade('#ff9a6b', 209, 95),
    work: shade('#8fb1ff', 111, 34),
    done: shade('#63cc97', 79, 32),
    fail: shade('#ff8ba5', 211, 31),
    warn: shade('#e6b85c', 179, 33),
    accept: shade('#5fc4b6', 80, 36),
    auto: shade('#b79cf0', 140, 36),
    keyword: shade('#e09fd2', 218, 35),
    string: shade('#8ed3a8', 115, 32),
    number: shade('#ecb07d', 216, 33),
    called: shade('#8fb1ff', 111, 34),
  },
  grounds: {
    band: shade('#1b1d21', 234),
    selected: shade('#24272d', 235),
    addedLine: shade('#10241a', undefined),
    addedWord: shade('#1c4a32', 22),
    removedLine: shade('#2a141b', undefined),
    removedWord: shade('#5a2434', 52),
  },
};

const light: Palette = {
  inks: {
    ink2: shade('#4e5057', 239),
    ink3: shade('#686a72', 242),
    rule: shade('#d4d4d0', 188),
    need: shade('#b8410f', 130, 95),
    work: shade('#2a5bc4', 26, 34),
    done: shade('#1b7248', 22, 32),
    fail: shade('#ad1a45', 161, 31),
    warn: shade('#835800', 94, 33),
    accept: shade('#15756b', 23, 36),
    auto: shade('#6a45ab', 62, 36),
    keyword: shade('#8d2c77', 89, 35),
    string: shade('#1b6b45', 22, 32),
    number: shade('#8f4a00', 94, 33),
    called: shade('#2a5bc4', 26, 34),
  },
  grounds: {
    band: shade('#f1f1ee', 255),
    selected: shade('#e7e8ea', 254),
    addedLine: shade('#e8f6ed', undefined),
    addedWord: shade('#bfe6cd', 151),
    removedLine: shade('#fdeef2', undefined),
    removedWord: shade('#f8cbd7', 217),
  },
};

function safe({ inks, grounds }: Palette, words: { readonly added: Shade; readonly removed: Shade }): Palette {
  const { ink2, work } = inks;
  return {
    inks: {
      ...inks,
      done: ink2,
      fail: undefined,
      warn: undefined,
      accept: work,
      auto: work,
      keyword: work,
      string: ink2,
      number: ink2,
      called: undefined,
    },
    grounds: {
      ...grounds,
      addedLine: undefined,
      addedWord: words.added,
      removedLine: undefined,
      removedWord: words.removed,
    },
  };
}

export const palettes: Readonly<Record<ThemeName, Palette>> = {
  dark,
  light,
  'dark-safe': safe(dark, { added: shade('#1f3566', 18), removed: shade('#5c3113', 94) }),
  'light-safe': safe(light, { added: shade('#c9d8ff', 153), removed: shade('#ffd9bf', 223) }),
};

export function isThemeName(name: string): name is ThemeName {
  return (themeNames as readonly string[]).includes(name);
}
