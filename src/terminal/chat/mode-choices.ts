/** What a person chooses as the mode: a preset of the session's rules, or an interaction mode other than the usual one. */
import type { modes } from '../../kernel/mode.ts';
import { presetNames, type Preset } from '../../views/rule-preset.ts';

type OtherMode = Exclude<keyof typeof modes, 'interactive'>;

export interface ModeChoice {
  readonly name: string;
  readonly does: string;
  readonly group: 'Rules' | 'Session';
}

const presetWords: Readonly<Record<Preset, string>> = {
  ask: 'Rules decide, the rest asks',
  'accept-edits': "Edits in this folder that Rondo can restore don't ask",
  auto: "Commits and the project's checks don't ask either. Needs the sandbox",
};

const modeWords: Readonly<Record<OtherMode, string>> = {
  supervised: 'Every call and every answer needs approval',
  batch: 'Never asks; denies what no rule allows',
  repl: 'A line that parses as a tool call runs as one',
  'tool-only': 'Tool calls only, no model',
};

export const modeChoices: readonly ModeChoice[] = [
  ...(Object.keys(presetWords) as Preset[]).map(
    (preset) => ({ name: presetNames[preset], does: presetWords[preset], group: 'Rules' }) as const,
  ),
  ...(Object.keys(modeWords) as OtherMode[]).map(
    (name) => ({ name, does: modeWords[name], group: 'Session' }) as const,
  ),
];

/** The preset that a `/mode` line names. */
export function presetIn(line: string): Preset | undefined {
  const name = /^\/mode\s+(.+)$/i.exec(line.trim())?.[1]?.toLowerCase().replaceAll('-', ' ');
  return (Object.keys(presetNames) as Preset[]).find(
    (preset) => name === presetNames[preset] || name === preset.replaceAll('-', ' '),
  );
}
