/** Chooses the theme by the terminal's background. The first frame doesn't wait for the reply. */
import type { TuiAltScreen } from '@earendil-works/pi-tui';

import { isLight } from '../contrast.ts';
import type { ThemeName } from '../palette.ts';
import { colorDepthOf, themeFromEnvironment, type PaintOptions } from '../theme.ts';
import type { Environment } from '../../ports/environment.ts';

interface ScreenTheme {
  readonly colors: PaintOptions & { readonly name: ThemeName };
  /** Asks the terminal. A theme that the user chose stays. */
  ask(): void;
  choose(name: ThemeName): void;
}

interface ScreenThemeOptions {
  readonly tui: TuiAltScreen;
  readonly env: Environment;
  readonly chosen: ThemeName | undefined;
}

const replyMs = 100;

export function createScreenTheme({ tui, env, chosen }: ScreenThemeOptions): ScreenTheme {
  const depth = colorDepthOf(env);
  let isChosen = chosen !== undefined;
  let colors: ScreenTheme['colors'] = { depth, name: chosen ?? themeFromEnvironment(env) };
  return {
    get colors() {
      return colors;
    },
    ask() {
      if (depth === 'none') return;
      void tui.queryTerminalBackgroundColor({ timeoutMs: replyMs }).then((ground) => {
        if (ground === undefined) return;
        const name = isChosen ? colors.name : isLight(ground) ? 'light' : 'dark';
        colors = { depth, name, ground };
        tui.requestRender();
      });
    },
    choose(name) {
      isChosen = true;
      colors = { ...colors, name };
      tui.requestRender();
    },
  };
}
