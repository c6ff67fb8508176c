/** What an external agent lets people choose of its own. */
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
  /** The newest choice of each thing, at most 32. */
  readonly chosen?: readonly ChosenSetting[];
}

export interface ChosenSetting {
  readonly setting: AgentSetting;
  /** Absent once the agent has taken it. */
  readonly effect?: EffectId;
}

/** `report` is what the agent says since. */
export type SettingOutcome =
  | { readonly type: 'taken'; readonly report: SettingsReport }
  | { readonly type: 'failed'; readonly message: string };

export type SettingsReport = Extract<AgentReport, { type: 'mode' | 'options' }>;
