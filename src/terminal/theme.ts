/**
 * Colors carry meaning and never stand alone. An agent can have its own, so that the current agent is visible at a
 * glance. Without color (NO_COLOR, a dumb terminal), only bold, underline and reverse remain.
 */
import { readableOn, rgbOf, type Rgb } from './contrast.ts';
import {
  inkNames,
  palettes,
  type GroundName,
  type InkName,
  type Palette,
  type Shade,
  type ThemeName,
} from './palette.ts';
import type { Environment } from '../ports/environment.ts';

/** As configured: `#rrggbb`, one of the sixteen names, or `none`. `prompt` is shown before the user's input. */
export interface Theme {
  readonly accent?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly quiet?: string;
  readonly warning?: string;
  readonly error?: string;
  readonly prompt?: string;
}

export type Style = (text: string) => string;

export type Paint = Readonly<Record<InkName | GroundName, Style>> & {
  /** The user's prompt glyph, and the agent's text. */
  readonly user: Style;
  readonly agent: Style;
  readonly strong: Style;
  readonly slanted: Style;
  readonly underlined: Style;
  readonly struck: Style;
  readonly reversed: Style;
};

type ColorDepth = 'none' | 'sixteen' | 'palette' | 'full';

export function colorDepthOf(env: Environment): ColorDepth {
  const term = env['TERM'] ?? '';
  if ((env['NO_COLOR'] ?? '') !== '' || term === 'dumb') return 'none';
  if (/^(truecolor|24bit)$/.test(env['COLORTERM'] ?? '')) return 'full';
  return term.includes('256') ? 'palette' : 'sixteen';
}

/** Before the terminal reports its background: `COLORFGBG` ends with the background's number. */
export function themeFromEnvironment(env: Environment): 'dark' | 'light' {
  const ground = Number(/;(\d+)$/.exec(env['COLORFGBG'] ?? '')?.[1] ?? 0);
  return ground === 7 || ground >= 9 ? 'light' : 'dark';
}

export interface PaintOptions {
  readonly depth: ColorDepth;
  readonly name?: ThemeName;
  /** The terminal's background, if it reported one. */
  readonly ground?: Rgb | undefined;
}

export function createPaint(theme: Theme, { depth, name = 'dark', ground }: PaintOptions): Paint {
  const styled = (open: number, close: number): Style => between(`${open}`, close);
  const palette: Palette = palettes[name];
  const own: Partial<Record<InkName, string | undefined>> = {
    work: theme.accent,
    keyword: theme.tool,
    ink3: theme.quiet,
    warn: theme.warning,
    fail: theme.error,
  };
  const inks = Object.fromEntries(
    inkNames.map((ink) => {
      const configured = own[ink];
      const style =
        configured === undefined
          ? inkStyle(palette.inks[ink], depth, ink === 'rule' ? undefined : ground)
          : configuredInk(configured, depth);
      return [ink, style];
    }),
  ) as Record<InkName, Style>;
  const isBare = depth === 'none' || depth === 'sixteen';
  const strong = styled(1, 22);
  const underlined = styled(4, 24);
  const groundOf = (which: GroundName) => groundStyle(palette.grounds[which], depth);
  return {
    ...inks,
    fail: palette.inks.fail === undefined && theme.error === undefined ? strong : inks.fail,
    band: groundOf('band'),
    selected: isBare ? strong : groundOf('selected'),
    addedLine: groundOf('addedLine'),
    addedWord: isBare ? underlined : groundOf('addedWord'),
    removedLine: groundOf('removedLine'),
    removedWord: isBare ? underlined : groundOf('removedWord'),
    user: theme.user === undefined ? asIs : configuredInk(theme.user, depth),
    agent: theme.agent === undefined ? asIs : configuredInk(theme.agent, depth),
    strong,
    slanted: depth === 'none' ? asIs : styled(3, 23),
    underlined,
    struck: depth === 'none' ? asIs : styled(9, 29),
    reversed: styled(7, 27),
  };
}

const asIs: Style = (text) => text;

/** A reset inside the text would end the style, so it starts again after each. */
const between =
  (open: string, close: number): Style =>
  (text) =>
    text === ''
      ? ''
      : `\u001B[${open}m${text.replaceAll('\u001B[0m', `\u001B[0m\u001B[${open}m`)}\u001B[${close}m`;

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

function inkStyle(shade: Shade | undefined, depth: ColorDepth, ground: Rgb | undefined): Style {
  if (shade === undefined) return asIs;
  switch (depth) {
    case 'none':
      return asIs;
    case 'sixteen':
      return shade.sixteen === undefined ? asIs : between(`${shade.sixteen}`, 39);
    case 'palette':
      return shade.palette === undefined ? asIs : between(`38;5;${shade.palette}`, 39);
    case 'full': {
      const ink = rgbOf(shade.full);
      const { r, g, b } = ground === undefined ? ink : readableOn(ground, ink);
      return between(`38;2;${r};${g};${b}`, 39);
    }
  }
}

function groundStyle(shade: Shade | undefined, depth: ColorDepth): Style {
  if (shade === undefined || depth === 'none' || depth === 'sixteen') return asIs;
  if (depth === 'palette') return shade.palette === undefined ? asIs : between(`48;5;${shade.palette}`, 49);
  const { r, g, b } = rgbOf(shade.full);
  return between(`48;2;${r};${g};${b}`, 49);
}

function configuredInk(color: string, depth: ColorDepth): Style {
  if (depth === 'none' || color === 'none') return asIs;
  const isBright = color.startsWith('bright-');
  const index = names.indexOf(isBright ? color.slice('bright-'.length) : color);
  if (index >= 0) return between(`${(isBright ? 90 : 30) + index}`, 39);
  const { r, g, b } = rgbOf(color);
  if (depth === 'full') return between(`38;2;${r};${g};${b}`, 39);
  if (depth === 'palette') return between(`38;5;${paletteIndex(r, g, b)}`, 39);
  return between(`${sixteenCode(r, g, b)}`, 39);
}

/** The 6 × 6 × 6 color cube that starts at 16. */
function paletteIndex(red: number, green: number, blue: number): number {
  const level = (value: number) => Math.round((value / 255) * 5);
  return 16 + 36 * level(red) + 6 * level(green) + level(blue);
}

function sixteenCode(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  if (most < 64) return 90;
  const bit = (value: number) => (value > most / 2 ? 1 : 0);
  return (most > 191 ? 90 : 30) + bit(red) + 2 * bit(green) + 4 * bit(blue);
}
