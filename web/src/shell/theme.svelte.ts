type Theme = 'system' | 'light' | 'dark';

const key = 'rondo.theme';

export interface ThemeSwitch {
  readonly theme: Theme;
  next(): void;
}

export function createThemeSwitch(): ThemeSwitch {
  const kept = localStorage.getItem(key);
  let theme = $state<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');
  return {
    get theme() {
      return theme;
    },
    next() {
      theme = theme === 'system' ? 'dark' : theme === 'dark' ? 'light' : 'system';
      if (theme === 'system') {
        localStorage.removeItem(key);
        delete document.documentElement.dataset['theme'];
      } else {
        localStorage.setItem(key, theme);
        document.documentElement.dataset['theme'] = theme;
      }
    },
  };
}
