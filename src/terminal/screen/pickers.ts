/** The lists that a user can choose from. */
import { Key, matchesKey } from '@earendil-works/pi-tui';

import type { InboxRequest } from '../../commands/command-result.ts';
import type { AgentEntry, SessionHit } from '../../ports/rondo-client.ts';
import type { JobView } from '../../ports/workforce.ts';
import { oneLine } from '../../views/one-line.ts';
import { endingText } from '../../wording/ending.ts';
import type { ChatBackend } from '../chat/chat-backend.ts';
import { modeChoices, type ModeChoice } from '../chat/mode-choices.ts';
import { themeNames, type ThemeName } from '../palette.ts';
import type { PaintOptions } from '../theme.ts';
import type { SessionFileChange } from '../../ports/session-changes.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { RewindPoint } from '../../views/rewind-points.ts';
import { createChangesViewer } from './changes-viewer.ts';
import { createInboxPicker } from './inbox-picker.ts';
import { createRewindPicker } from './rewind-picker.ts';
import { createTextViewer, type ViewedText } from './text-viewer.ts';
import { modelChoices, modelRow, type ModelChoice } from './model-rows.ts';
import { themeSample } from './theme-sample.ts';
import { createSessionPicker, type SessionPickerOptions } from './session-picker.ts';
import { createPicker, type Picker, type PickerOptions, type PickerPlace } from './picker.ts';

interface Pickers {
  sessions(words: string): void;
  jobs(): void;
  models(current: string | undefined): void;
  agents(current: string): void;
  modes(current: string): void;
  themes(current: ThemeName): void;
  changes(changes: readonly SessionFileChange[]): void;
  rewind(points: readonly RewindPoint[], session: SessionClient): void;
  text(text: ViewedText): void;
  inbox(requests: readonly InboxRequest[]): void;
  history(): void;
}

interface PickersParts extends Omit<PickerPlace, 'closed'> {
  readonly show: (picker: Picker | undefined) => void;
  readonly backend: () => ChatBackend | undefined;
  readonly open: (session: string) => void;
  /** The open session's folder and id, and the session that was open before it. */
  readonly place: () => Pick<SessionPickerOptions, 'folder' | 'current' | 'previous'>;
  /** Runs a slash command, as if it was typed. */
  readonly command: (line: string) => void;
  readonly setTheme: (name: ThemeName) => void;
  /** How the terminal shows a theme. */
  readonly colorsOf: (name: ThemeName) => PaintOptions;
  readonly say: (text: string) => void;
  readonly setDraft: (text: string) => void;
  /** Earlier prompts, newest first. */
  readonly history: () => readonly string[];
}

const refreshMs = 1000;

export function createPickers(parts: PickersParts): Pickers {
  const { backend } = parts;
  const place = { changed: parts.changed, onProblem: parts.onProblem, closed: () => parts.show(undefined) };
  function show<Row>(options: PickerOptions<Row>): void {
    parts.show(createPicker(options, place));
  }
  let knownSessions: readonly SessionHit[] = [];
  const snoozed = new Map<string, number>();
  const matching = (words: string) => (text: string) => text.toLowerCase().includes(words.toLowerCase());

  return {
    sessions(words) {
      parts.show(
        createSessionPicker(
          {
            backend,
            words,
            ...parts.place(),
            known: knownSessions,
            keep: (rows) => (knownSessions = rows),
            open: parts.open,
          },
          place,
        ),
      );
    },
    jobs() {
      show<JobView>({
        title: 'Jobs',
        hints: 'picker',
        note: () => 'Ctrl+X cancels',
        load: async (words) => ((await backend()?.jobs()) ?? []).filter(({ prompt }) => matching(words)(prompt)),
        rowOf: ({ worker, state, prompt, ending }) => ({
          label: worker,
          detail: `${oneLine(prompt)}${ending === undefined || ending.type === 'completed' ? '' : `  ${oneLine(endingText(ending))}`}`,
          note: state,
        }),
        choose: () => undefined,
        onKey(data, row) {
          if (!matchesKey(data, Key.ctrl('x'))) return false;
          if (row !== undefined) cancelJob(row.id);
          return true;
        },
        everyMs: refreshMs,
      });
    },
    models(current) {
      let total = 0;
      show<ModelChoice>({
        title: 'Model',
        hints: 'picker',
        note(rows) {
          const count = rows.filter((row) => 'id' in row).length;
          return count === total ? `${total}` : `${count} of ${total}`;
        },
        async load(words) {
          const all = (await backend()?.models()) ?? [];
          total = all.length;
          const isMeant = matching(words);
          return modelChoices(all).filter((choice) => isMeant(Object.values(choice).join(' ')));
        },
        rowOf: modelRow,
        isCurrent: (choice) => 'id' in choice && choice.id === current,
        choose(choice) {
          if ('id' in choice) parts.command(`/model ${choice.id}`);
          else parts.say(`Set ${choice.key} in the environment of Rondo and start it again.`);
        },
      });
    },
    agents(current) {
      show<AgentEntry>({
        title: 'Agent',
        hints: 'picker',
        load: async (words) => ((await backend()?.agents()) ?? []).filter(({ name }) => matching(words)(name)),
        rowOf: ({ name, from }) => ({ label: name, detail: from }),
        isCurrent: ({ name }) => name === current,
        choose: ({ name }) => parts.command(`/agent ${name}`),
      });
    },
    modes(current) {
      show<ModeChoice>({
        title: 'Mode',
        hints: 'picker',
        load: async (words) => modeChoices.filter(({ name }) => matching(words)(name)),
        rowOf: ({ name, does, group }) => ({ label: name, detail: does, group }),
        isCurrent: ({ name }) => name === current,
        choose: ({ name }) => parts.command(`/mode ${name}`),
      });
    },
    themes(current) {
      show<ThemeName>({
        title: 'Theme',
        hints: 'picker',
        load: async (words) => themeNames.filter(matching(words)),
        rowOf: (name) => ({ label: name, detail: name.endsWith('safe') ? 'two hues, for color blindness' : '' }),
        isCurrent: (name) => name === current,
        preview: (name, look) => themeSample(parts.colorsOf(name), look),
        choose: parts.setTheme,
      });
    },
    inbox(requests) {
      const rondo = backend();
      if (rondo !== undefined)
        parts.show(createInboxPicker({ requests, rondo, snoozed, open: parts.open, say: parts.say }, place));
    },
    text(text) {
      parts.show(createTextViewer(text, place));
    },
    history() {
      show<string>({
        title: 'History',
        hints: 'history',
        note: (rows) => `${rows.length}`,
        load: async (words) => [...new Set(parts.history())].filter(matching(words)),
        rowOf: (text) => ({ label: oneLine(text) }),
        isWide: true,
        choose: parts.setDraft,
      });
    },
    changes(changes) {
      parts.show(createChangesViewer(changes, place));
    },
    rewind(points, session) {
      parts.show(createRewindPicker({ points, session, command: parts.command }, place));
    },
  };

  function cancelJob(job: string): void {
    backend()
      ?.cancelJob(job)
      .then((cancel) => parts.say(cancel.type === 'refused' ? cancel.message : `Cancelling job ${job}.`))
      .catch(parts.onProblem);
  }
}
