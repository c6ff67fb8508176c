/**
 * The modes and options of an external agent, and people's choices.
 *
 * 1. The agent's latest report counts, even if it left a mode by itself.
 * 2. Choices are set again when the agent restarts. A choice that it rejects is reported and forgotten.
 */
import type {
  AgentSetting,
  AgentSettings,
  ChosenSetting,
  SettingOutcome,
  SettingsReport,
} from './agent-setting.ts';
import type { EffectId } from './ids.ts';
import { optional } from './optional.ts';
import type { AgentChoice, AgentOption } from './report.ts';
import type { State } from './state.ts';

const agentChoicesKept = 32;
const offersKept = 64;
/** Longer lists of choices aren't checked here: the agent knows them. */
const choicesKept = 200;

/**
 * The setting to send. If the agent's modes are one of its options, this is that option. A string is the reason for
 * a refusal.
 */
export function settingFor(state: State, setting: AgentSetting): AgentSetting | string {
  const { agent } = state;
  if (agent.runs !== 'external') return `agent ${agent.name} isn't external and has no settings`;
  const reported = settingsOf(state);
  // An agent that hasn't started yet hasn't reported its settings, so it decides when it starts.
  if (reported === undefined)
    return state.agentSession?.agent === agent.name ? offersNothing(agent.name, setting) : setting;
  if (setting.type === 'option') return optionFor(agent.name, reported, setting);
  const { mode } = setting;
  if (reported.modes?.some(({ id }) => id === mode) === true) return setting;
  const asOption = reported.options?.find(({ category }) => category === 'mode');
  if (reported.modes === undefined && asOption !== undefined) {
    return optionFor(agent.name, reported, { type: 'option', option: asOption.id, value: mode });
  }
  if (reported.modes === undefined) return offersNothing(agent.name, setting);
  return `agent ${agent.name} has no mode ${mode}; it offers ${namesOf(reported.modes)}`;
}

/** The reported settings of the current agent. */
export function settingsOf({ agent, agentSettings }: State): AgentSettings | undefined {
  return agentSettings?.agent === agent.name ? agentSettings : undefined;
}

export function withChosen(state: State, setting: AgentSetting, effect: EffectId): State {
  const before = settingsOf(state) ?? { agent: state.agent.name };
  const others = (before.chosen ?? []).filter((choice) => nameOf(choice.setting) !== nameOf(setting));
  const chosen = [...others, { setting, effect }].slice(-agentChoicesKept);
  return { ...state, agentSettings: { ...before, chosen } };
}

/** The agent accepted the choice, or it is forgotten. */
export function withSettled(state: State, effect: EffectId, outcome: SettingOutcome): State {
  const { agentSettings } = state;
  if (agentSettings?.chosen === undefined) return state;
  const chosen = agentSettings.chosen.flatMap((choice): readonly ChosenSetting[] => {
    if (choice.effect !== effect) return [choice];
    return outcome.type === 'taken' ? [{ setting: choice.setting }] : [];
  });
  const settled = { ...state, agentSettings: { ...agentSettings, chosen } };
  return outcome.type === 'taken' ? withReportedSettings(settled, agentSettings.agent, outcome.report) : settled;
}

/** A starting agent receives all choices; its next report shows what it accepted. */
export function withAllAsked(state: State): State {
  const { agentSettings } = state;
  if (agentSettings?.chosen === undefined) return state;
  const chosen = agentSettings.chosen.map(({ setting }) => ({ setting }));
  return { ...state, agentSettings: { ...agentSettings, chosen } };
}

/** Stores the agent's report and updates the choices to match. */
export function withReportedSettings(state: State, agent: string, report: SettingsReport): State {
  const before: AgentSettings = state.agentSettings?.agent === agent ? state.agentSettings : { agent };
  const reported =
    report.type === 'mode' ? reportedMode(report) : { options: report.options.slice(0, offersKept).map(kept) };
  const after = { ...before, ...reported };
  if (before.chosen === undefined) return { ...state, agentSettings: after };
  const chosen = before.chosen.map((choice) => (choice.effect === undefined ? asReported(choice, after) : choice));
  return { ...state, agentSettings: { ...after, chosen } };
}

export function isPending({ agentSettings }: State, effect: EffectId): boolean {
  return agentSettings?.chosen?.some((choice) => choice.effect === effect) === true;
}

function reportedMode({ mode, modes }: Extract<SettingsReport, { type: 'mode' }>): Partial<AgentSettings> {
  return { mode, ...optional({ modes: modes?.slice(0, offersKept) }) };
}

function kept({ choices, ...option }: AgentOption): AgentOption {
  return choices === undefined ? option : { ...option, choices: choices.slice(0, choicesKept) };
}

function asReported(choice: ChosenSetting, { mode, options }: AgentSettings): ChosenSetting {
  const { setting } = choice;
  if (setting.type === 'mode') return mode === undefined ? choice : { setting: { ...setting, mode } };
  const value = options?.find(({ id }) => id === setting.option)?.value;
  return value === undefined ? choice : { setting: { ...setting, value } };
}

function optionFor(
  agent: string,
  { options }: AgentSettings,
  setting: Extract<AgentSetting, { type: 'option' }>,
): AgentSetting | string {
  if (options === undefined || options.length === 0) return offersNothing(agent, setting);
  const option = options.find(({ id }) => id === setting.option);
  if (option === undefined) return `agent ${agent} has no option ${setting.option}; it offers ${namesOf(options)}`;
  const { id, choices } = option;
  if (choices === undefined) {
    if (typeof setting.value === typeof option.value) return setting;
    return `the option ${id} of agent ${agent} is ${typeof option.value === 'boolean' ? 'on or off' : 'a text'}`;
  }
  const isListed = choices.some((choice) => choice.id === setting.value);
  if (isListed || (choices.length >= choicesKept && typeof setting.value === 'string')) return setting;
  return `the option ${id} of agent ${agent} cannot be ${String(setting.value)}; it offers ${namesOf(choices)}`;
}

function offersNothing(agent: string, { type }: AgentSetting): string {
  return `agent ${agent} offers no ${type}s`;
}

function nameOf(setting: AgentSetting): string {
  return setting.type === 'mode' ? '' : setting.option;
}

function namesOf(choices: readonly AgentChoice[]): string {
  const ids = choices.slice(0, namesShown).map(({ id }) => id);
  return `${ids.join(', ')}${choices.length > namesShown ? ', …' : ''}`;
}

const namesShown = 20;
