/** The theme and colors that were chosen in this browser. `theme.js` applies them before anything is drawn. */
export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const key = 'rondo.theme';
const colorsKey = 'rondo.colors';

export interface ThemeSwitch {
  readonly theme: Theme;
  /** Two hues only, for color-blind readers. */
  readonly isSafe: boolean;
  next(): void;
  choose(theme: Theme): void;
  useSafeColors(isSafe: boolean): void;
}

export function createThemeSwitch(): ThemeSwitch {
  const kept = localStorage.getItem(key);
  let theme = $state<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');
  let isSafe = $state(localStorage.getItem(colorsKey) === 'safe');

  function choose(chosen: Theme): void {
    theme = chosen;
    keep(key, 'theme', chosen === 'system' ? undefined : chosen);
  }
  return {
    get theme() {
      return theme;
    },
    get isSafe() {
      return isSafe;
    },
    next: () => choose(theme === 'system' ? 'dark' : theme === 'dark' ? 'light' : 'system'),
    choose,
    useSafeColors(chosen) {
      isSafe = chosen;
      keep(colorsKey, 'palette', chosen ? 'safe' : undefined);
    },
  };
}

function keep(place: string, attribute: 'theme' | 'palette', value: string | undefined): void {
  const { dataset } = document.documentElement;
  if (value === undefined) {
    localStorage.removeItem(place);
    delete dataset[attribute];
  } else {
    localStorage.setItem(place, value);
    dataset[attribute] = value;
  }
}
