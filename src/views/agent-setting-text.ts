/** An external agent's own modes and options in words, and words as a choice of them. */
import type { AgentSetting } from '../kernel/agent-setting.ts';
import type { AgentOption } from '../kernel/report.ts';
import type { Status } from './status.ts';

export type ToldSettings = NonNullable<Status['agentSettings']>;

export function settingText(setting: AgentSetting): string {
  return setting.type === 'mode' ? `the mode ${setting.mode}` : `${setting.option} = ${String(setting.value)}`;
}

/** One line a setting: its name, what it is, and what else it may be. */
export function settingLines({ mode, modes, options = [] }: ToldSettings): readonly string[] {
  const lines = mode === undefined ? [] : [lineOf('mode', mode, modes?.map(({ id }) => id) ?? [])];
  return [...lines, ...options.map(optionLine)];
}

/** `mode` is the mode unless an option has that name; `on` and `off` are what an option without choices takes. */
export function settingFromWords(name: string, value: string, told: ToldSettings | undefined): AgentSetting {
  const option = told?.options?.find(({ id }) => id === name);
  if (name === 'mode' && (option === undefined || told?.modes !== undefined)) return { type: 'mode', mode: value };
  if (typeof option?.value !== 'boolean') return { type: 'option', option: name, value };
  return { type: 'option', option: name, value: isOn.get(value.toLowerCase()) ?? value };
}

/** Which of its options is its model. */
export function modelOption(told: ToldSettings | undefined): AgentOption | undefined {
  return told?.options?.find(({ category }) => category === 'model');
}

/** Whether the agent has a mode of that name. */
export function offersMode(told: ToldSettings | undefined, mode: string): boolean {
  const choices = told?.modes ?? told?.options?.find(({ category }) => category === 'mode')?.choices ?? [];
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
  const shown = others.slice(0, mostShown).join(', ');
  const rest = others.length > mostShown ? ` and ${others.length - mostShown} more` : '';
  return `${name} = ${value}${others.length === 0 ? '' : ` (of ${shown}${rest})`}`;
}

const mostShown = 30;
