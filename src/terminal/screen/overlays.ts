/** Lists shown over the conversation until the user chooses or closes. */
import { Key, matchesKey, type Component, type TUI } from '@earendil-works/pi-tui';

import { ageText } from '../../wording/duration.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { endingText } from '../../wording/ending.ts';
import { oneLine } from '../../views/one-line.ts';
import type { JobEntry } from '../../ports/rondo-client.ts';
import { choiceLines, moved, newChoiceList, withRows, type ChoiceList, type ChoiceRow } from './choice-list.ts';
import type { Paint } from '../theme.ts';

export interface Overlays {
  pickSession(words: string): void;
  showJobs(): void;
}

export interface OverlayParts {
  readonly tui: TUI;
  readonly paint: () => Paint;
  readonly sessions: (words: string) => Promise<readonly DirectoryEntry[]>;
  readonly open: (session: string) => void;
  readonly jobs: () => Promise<readonly JobEntry[]>;
  readonly cancelJob: (job: string) => Promise<void>;
  readonly onProblem: (error: unknown) => void;
}

const refreshJobsMs = 1000;

export function createOverlays(parts: OverlayParts): Overlays {
  const { tui } = parts;

  function show<Row>(options: {
    readonly list: ChoiceList<Row>;
    readonly load: (words: string) => Promise<readonly Row[]>;
    readonly rowOf: (row: Row) => ChoiceRow;
    readonly onKey: (data: string, row: Row | undefined, close: () => void) => boolean;
    readonly everyMs?: number;
  }): void {
    let { list } = options;
    const load = () => {
      const { words } = list;
      options
        .load(words)
        .then((rows) => {
          if (list.words !== words) return;
          list = withRows(list, rows);
          tui.requestRender();
        })
        .catch(parts.onProblem);
    };
    const timer = options.everyMs === undefined ? undefined : setInterval(load, options.everyMs);
    const close = () => {
      clearInterval(timer);
      handle.hide();
      tui.requestRender();
    };
    const type = (words: string) => {
      list = { ...list, words, selected: 0 };
      load();
    };
    const component: Component = {
      invalidate: () => undefined,
      render: (width) => [
        ...choiceLines(list, options.rowOf, {
          paint: parts.paint(),
          width,
          height: Math.max(6, tui.terminal.rows - 6),
        }),
      ],
      handleInput(data) {
        if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c'))) return close();
        if (matchesKey(data, Key.up)) list = moved(list, -1);
        else if (matchesKey(data, Key.down)) list = moved(list, 1);
        else if (matchesKey(data, Key.pageUp)) list = moved(list, -10);
        else if (matchesKey(data, Key.pageDown)) list = moved(list, 10);
        else if (options.onKey(data, list.rows[list.selected], close)) return;
        else if (matchesKey(data, Key.backspace)) type(list.words.slice(0, -1));
        else if (/^[^\p{Cc}]+$/u.test(data)) type(list.words + data);
        tui.requestRender();
      },
    };
    const handle = tui.showOverlay(component, { width: '90%', anchor: 'center' });
    load();
  }

  return {
    pickSession(words) {
      show<DirectoryEntry>({
        list: newChoiceList('Sessions', 'type to search · enter opens · esc closes', words),
        load: parts.sessions,
        rowOf: ({ title, agent, state, updatedAt, session }) => ({
          left: title === '' ? session : oneLine(title),
          right: `${agent} ${state} ${ageText(Date.now() - updatedAt)}`,
        }),
        onKey(data, row, close) {
          if (!matchesKey(data, Key.enter)) return false;
          close();
          if (row !== undefined) parts.open(row.session);
          return true;
        },
      });
    },
    showJobs() {
      show<JobEntry>({
        list: newChoiceList('Jobs', 'ctrl+x cancels · esc closes'),
        load: async (words) => (await parts.jobs()).filter(({ prompt }) => prompt.includes(words)),
        rowOf: ({ worker, state, prompt, ending }) => ({
          left: `${worker}: ${oneLine(prompt)}${ending === undefined || ending.type === 'completed' ? '' : ` — ${oneLine(endingText(ending))}`}`,
          right: state,
        }),
        onKey(data, row) {
          if (!matchesKey(data, Key.ctrl('x'))) return false;
          if (row !== undefined) parts.cancelJob(row.id).catch(parts.onProblem);
          return true;
        },
        everyMs: refreshJobsMs,
      });
    },
  };
}
