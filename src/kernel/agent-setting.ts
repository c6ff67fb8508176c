/** Settings of an external agent that people can choose. */
import type { EffectId } from './ids.ts';
import type { AgentChoice, AgentOption, AgentReport } from './report.ts';

export type AgentSetting =
  | { readonly type: 'mode'; readonly mode: string }
  | { readonly type: 'option'; readonly option: string; readonly value: string | boolean };

export interface AgentSettings {
  readonly agent: string;
  readonly mode?: string;
  readonly modes?: readonly AgentChoice[];
  readonly options?: readonly AgentOption[];
  /** The newest choice per setting, at most 32. */
  readonly chosen?: readonly ChosenSetting[];
}

export interface ChosenSetting {
  readonly setting: AgentSetting;
  /** Absent once the agent has accepted it. */
  readonly effect?: EffectId;
}

/** `report` is the agent's state afterwards. */
export type SettingOutcome =
  | { readonly type: 'taken'; readonly report: SettingsReport }
  | { readonly type: 'failed'; readonly message: string };

export type SettingsReport = Extract<AgentReport, { type: 'mode' | 'options' }>;
