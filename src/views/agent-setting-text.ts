/** Formats an external agent's own modes and options as text, and parses text into a choice. */
import type { AgentSetting } from '../kernel/agent-setting.ts';
import type { AgentOption } from '../kernel/report.ts';
import type { Status } from './status.ts';

export type ReportedSettings = NonNullable<Status['agentSettings']>;

export function settingText(setting: AgentSetting): string {
  return setting.type === 'mode' ? `the mode ${setting.mode}` : `${setting.option} = ${String(setting.value)}`;
}

/** One line per setting: its name, its value, and the other choices. */
export function settingLines({ mode, modes, options = [] }: ReportedSettings): readonly string[] {
  const lines = mode === undefined ? [] : [lineOf('mode', mode, modes?.map(({ id }) => id) ?? [])];
  return [...lines, ...options.map(optionLine)];
}

/** `mode` sets the mode, unless an option has that name. An option without choices accepts `on` and `off`. */
export function settingFromWords(
  name: string,
  value: string,
  settings: ReportedSettings | undefined,
): AgentSetting {
  const option = settings?.options?.find(({ id }) => id === name);
  if (name === 'mode' && (option === undefined || settings?.modes !== undefined))
    return { type: 'mode', mode: value };
  if (typeof option?.value !== 'boolean') return { type: 'option', option: name, value };
  return { type: 'option', option: name, value: isOn.get(value.toLowerCase()) ?? value };
}

/** The option that selects its model. */
export function modelOption(settings: ReportedSettings | undefined): AgentOption | undefined {
  return settings?.options?.find(({ category }) => category === 'model');
}

/** True if the agent has a mode with this name. */
export function offersMode(settings: ReportedSettings | undefined, mode: string): boolean {
  const choices = settings?.modes ?? settings?.options?.find(({ category }) => category === 'mode')?.choices ?? [];
  return choices.some(({ id }) => id === mode);
}

const isOn: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['yes', true],
  ['off', false],
  ['false', false],
  ['no', false],
]);

function optionLine({ id, value, choices }: AgentOption): string {
  if (typeof value === 'boolean') return lineOf(id, value ? 'on' : 'off', ['on', 'off']);
  return lineOf(id, value, choices?.map((choice) => choice.id) ?? []);
}

function lineOf(name: string, value: string, others: readonly string[]): string {
  const names = others.slice(0, mostShown).join(', ');
  const rest = others.length > mostShown ? ` and ${others.length - mostShown} more` : '';
  return `${name} = ${value}${others.length === 0 ? '' : ` (of ${names}${rest})`}`;
}

const mostShown = 30;
