/**
 * Colors carry meaning and belong to an agent, so that the current agent is visible at a glance. Without color
 * (NO_COLOR, a dumb terminal), every style leaves its text unchanged.
 */

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

export interface Paint {
  readonly accent: Style;
  readonly user: Style;
  readonly agent: Style;
  readonly tool: Style;
  readonly quiet: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly good: Style;
  readonly strong: Style;
  readonly slanted: Style;
  readonly underlined: Style;
  readonly struck: Style;
  readonly reversed: Style;
  /** One of a few colors, derived from a name, so that a worker keeps its color. */
  readonly named: (name: string) => Style;
}

export type ColourDepth = 'none' | 'sixteen' | 'palette' | 'full';

type Environment = Readonly<Record<string, string | undefined>>;

export function colourDepthOf(env: Environment): ColourDepth {
  const term = env['TERM'] ?? '';
  if ((env['NO_COLOR'] ?? '') !== '' || term === 'dumb') return 'none';
  if (/^(truecolor|24bit)$/.test(env['COLORTERM'] ?? '')) return 'full';
  return term.includes('256') ? 'palette' : 'sixteen';
}

export const defaultPrompt = '❯';

export function createPaint(theme: Theme, depth: ColourDepth): Paint {
  const styled = (open: number, close: number): Style => (depth === 'none' ? asIs : between(`${open}`, close));
  const colour = (given: string | undefined, otherwise: string): Style =>
    foreground(given ?? otherwise, depth) ?? asIs;
  const dim = styled(2, 22);
  return {
    accent: colour(theme.accent, 'cyan'),
    user: colour(theme.user, 'blue'),
    agent: colour(theme.agent, 'none'),
    tool: colour(theme.tool, 'magenta'),
    quiet: theme.quiet === undefined ? dim : colour(theme.quiet, 'none'),
    warning: colour(theme.warning, 'yellow'),
    error: colour(theme.error, 'red'),
    good: colour(undefined, 'green'),
    strong: styled(1, 22),
    slanted: styled(3, 23),
    underlined: styled(4, 24),
    struck: styled(9, 29),
    reversed: styled(7, 27),
    named: (name) => foreground(nameColours[sumOf(name) % nameColours.length] ?? 'cyan', depth) ?? asIs,
  };
}

const asIs: Style = (text) => text;
const between =
  (open: string, close: number): Style =>
  (text) =>
    text === '' ? '' : `\u001B[${open}m${text}\u001B[${close}m`;

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const nameColours = ['green', 'yellow', 'blue', 'magenta', 'cyan', 'bright-red'];

function foreground(colour: string, depth: ColourDepth): Style | undefined {
  if (depth === 'none' || colour === 'none') return undefined;
  const isBright = colour.startsWith('bright-');
  const index = names.indexOf(isBright ? colour.slice('bright-'.length) : colour);
  if (index >= 0) return between(`${(isBright ? 90 : 30) + index}`, 39);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  if (depth === 'full') return between(`38;2;${red};${green};${blue}`, 39);
  if (depth === 'palette') return between(`38;5;${paletteIndex(red, green, blue)}`, 39);
  return between(`${sixteenCode(red, green, blue)}`, 39);
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

function sumOf(name: string): number {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_536;
  return sum;
}
