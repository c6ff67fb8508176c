/**
 * An agent's own modes and options. Wanted settings are applied when its session opens, later ones one at a time.
 * The reported result is the agent's, never assumed.
 */
import type { AgentSetting, SettingOutcome } from '../../kernel/agent-setting.ts';
import type { AgentReport } from '../../kernel/report.ts';
import { wordsOf, type RpcResult } from './json-rpc.ts';
import { openingReports } from './read-update.ts';
import * as wire from './wire-schema.ts';

interface SettingsAgent {
  readonly name: string;
  readonly session: string;
  request(method: string, params: object): Promise<RpcResult>;
}

interface ReportedSettingsUpdate {
  readonly reports: readonly AgentReport[];
  readonly notTaken: readonly AgentSetting[];
}

/**
 * Applies the wanted settings to an opened session. Reports and skips those that the agent rejects. A resumed
 * session may report wrong values, so each setting is sent anyway.
 */
export async function withSettings(
  agent: SettingsAgent,
  opened: wire.SessionState,
  wanted: readonly AgentSetting[],
  { isSure }: { readonly isSure: boolean },
): Promise<ReportedSettingsUpdate> {
  let state = opened;
  const notices: AgentReport[] = [];
  const refused: AgentSetting[] = [];
  for (const setting of wanted) {
    if (isSure && holds(state, setting)) continue;
    const answer = await ask(agent, setting);
    if (answer.type === 'result') state = stateAfter(state, setting, answer.result);
    else {
      refused.push(setting);
      notices.push({ type: 'notice', severity: 'warning', text: notTaken(agent, setting, answer) });
    }
  }
  return { reports: [...openingReports(state), ...notices], notTaken: refused };
}

export async function setSetting(agent: SettingsAgent, setting: AgentSetting): Promise<SettingOutcome> {
  const answer = await ask(agent, setting);
  if (answer.type !== 'result') return { type: 'failed', message: notTaken(agent, setting, answer) };
  const state = stateAfter({}, setting, answer.result);
  if (setting.type === 'mode') return { type: 'taken', report: { type: 'mode', mode: setting.mode } };
  for (const report of openingReports(state)) if (report.type === 'options') return { type: 'taken', report };
  const message = `${agent.name} did not say what its options are since ${textOf(setting)} was asked for`;
  return { type: 'failed', message };
}

function ask({ session, request }: SettingsAgent, setting: AgentSetting): Promise<RpcResult> {
  if (setting.type === 'mode') return request('session/set_mode', { sessionId: session, modeId: setting.mode });
  const { option, value } = setting;
  return request('session/set_config_option', {
    sessionId: session,
    configId: option,
    ...(typeof value === 'boolean' && { type: 'boolean' }),
    value,
  });
}

function holds({ modes, configOptions }: wire.SessionState, setting: AgentSetting): boolean {
  if (setting.type === 'mode') return modes?.currentModeId === setting.mode;
  return configOptions?.find(({ id }) => id === setting.option)?.currentValue === setting.value;
}

function stateAfter(state: wire.SessionState, setting: AgentSetting, result: unknown): wire.SessionState {
  if (setting.type === 'mode') {
    const { modes } = state;
    return { ...state, modes: { availableModes: [], ...modes, currentModeId: setting.mode } };
  }
  const { configOptions } = wire.sessionResult.catch({}).parse(result);
  return configOptions === undefined || configOptions === null ? state : { ...state, configOptions };
}

function notTaken({ name }: SettingsAgent, setting: AgentSetting, answer: RpcResult): string {
  return `${name} did not take ${textOf(setting)}: ${wordsOf(answer)}`;
}

function textOf(setting: AgentSetting): string {
  return setting.type === 'mode' ? `the mode ${setting.mode}` : `the option ${setting.option}`;
}
