/** What this terminal can do, in the words of the key screen. */
import { getCapabilities } from '@earendil-works/pi-tui';

import type { Environment } from '../../ports/environment.ts';
import type { PaintOptions } from '../theme.ts';

const depths: Readonly<Record<PaintOptions['depth'], string>> = {
  full: 'truecolor',
  palette: '256 colors',
  sixteen: '16 colors',
  none: 'no colors',
};

export function terminalFacts(depth: PaintOptions['depth'], env: Environment): readonly string[] {
  return [
    depths[depth],
    ...(getCapabilities().hyperlinks ? ['OSC 8'] : []),
    ...(env['TMUX'] === undefined ? [] : ['tmux (rondo doctor checks its options)']),
  ];
}
