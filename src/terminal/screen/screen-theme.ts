/** Chooses the theme by the terminal's background. The first frame doesn't wait for the reply. */
import type { TuiAltScreen } from '@earendil-works/pi-tui';

import { isLight } from '../contrast.ts';
import type { ThemeName } from '../palette.ts';
import { colourDepthOf, themeFromEnvironment, type PaintOptions } from '../theme.ts';
import type { Environment } from '../../ports/environment.ts';

interface ScreenTheme {
  readonly colours: PaintOptions & { readonly name: ThemeName };
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
  const depth = colourDepthOf(env);
  let isChosen = chosen !== undefined;
  let colours: ScreenTheme['colours'] = { depth, name: chosen ?? themeFromEnvironment(env) };
  return {
    get colours() {
      return colours;
    },
    ask() {
      if (depth === 'none') return;
      void tui.queryTerminalBackgroundColor({ timeoutMs: replyMs }).then((ground) => {
        if (ground === undefined) return;
        const name = isChosen ? colours.name : isLight(ground) ? 'light' : 'dark';
        colours = { depth, name, ground };
        tui.requestRender();
      });
    },
    choose(name) {
      isChosen = true;
      colours = { ...colours, name };
      tui.requestRender();
    },
  };
}
