/** The rewind picker: choose a prompt, see what changes back, then go back or fork. Nothing happens until a choice. */
import { Key, matchesKey } from '@earendil-works/pi-tui';

import type { SessionChanges } from '../../ports/session-changes.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { RewindPoint } from '../../views/rewind-points.ts';
import { rewindLines } from '../lines/rewind-lines.ts';
import type { Picker, PickerPlace } from './picker.ts';

interface RewindPickerOptions {
  readonly points: readonly RewindPoint[];
  readonly session: Pick<SessionClient, 'changes'>;
  /** Runs a slash command, as if it was typed. */
  readonly command: (line: string) => void;
}

const commandsByChoice = ['/rewind #', '/rewind #', '/rewind #', '/fork #'] as const;
const axesByChoice = ['', ' chat', ' files', ''] as const;
const pageLines = 8;

export function createRewindPicker({ points, session, command }: RewindPickerOptions, place: PickerPlace): Picker {
  let selected = Math.max(0, points.length - 1);
  let isDiffOpen = false;
  let scroll = 0;
  const known = new Map<string, SessionChanges>();
  const asked = new Set<string>();
  const keyOf = ({ to }: RewindPoint) => `${to} ${isDiffOpen}`;

  /** One comparison per prompt. The answer of the last one is drawn until the next arrives. */
  function look(): void {
    const point = points[selected];
    if (point === undefined || asked.has(keyOf(point))) return;
    const key = keyOf(point);
    asked.add(key);
    session
      .changes({ since: point.to, patch: isDiffOpen })
      .then((changes) => known.set(key, changes), place.onProblem)
      .finally(place.changed);
  }
  function choose(choice: number): void {
    const point = points[selected];
    if (point === undefined) return;
    place.closed();
    command(`${commandsByChoice[choice] ?? ''}${point.number}${axesByChoice[choice] ?? ''}`);
  }
  function move(by: number): void {
    selected = Math.max(0, Math.min(points.length - 1, selected + by));
    scroll = 0;
  }
  look();

  return {
    hints: 'rewind',
    close: place.closed,
    handle(data) {
      if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c'))) {
        if (!isDiffOpen) return place.closed();
        isDiffOpen = false;
      } else if (matchesKey(data, Key.up)) move(-1);
      else if (matchesKey(data, Key.down)) move(1);
      else if (matchesKey(data, Key.pageUp)) scroll = Math.max(0, scroll - pageLines);
      else if (matchesKey(data, Key.pageDown)) scroll += pageLines;
      else if (data.toLowerCase() === 'd') isDiffOpen = !isDiffOpen;
      else if (matchesKey(data, Key.enter)) return choose(0);
      else if (/^[1-4]$/.test(data)) return choose(Number(data) - 1);
      look();
      place.changed();
    },
    lines(drawn, height) {
      const point = points[selected];
      const changes = point === undefined ? undefined : known.get(keyOf(point));
      return rewindLines({ points, selected, changes, isDiffOpen, scroll }, drawn, height);
    },
  };
}
