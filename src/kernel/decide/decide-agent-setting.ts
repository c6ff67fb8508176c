import type { AgentSetting } from '../agent-setting.ts';
import { isPending, settingFor } from '../agent-settings.ts';
import { emit, want, type Draft, type Refusal } from './draft.ts';
import type { Input } from '../input.ts';

/** Also during a turn: the agent receives it at once and reports when it applies. */
export function decideAgentSetting(draft: Draft, wanted: AgentSetting): Refusal | undefined {
  const { state } = draft;
  if (state.phase.type === 'closed') {
    return { code: 'closed', message: `session ${state.id} is closed; fork it to continue` };
  }
  const setting = settingFor(state, wanted);
  if (typeof setting === 'string') return { code: 'invalid', message: setting };
  const effect = emit(draft, { type: 'agent-setting-chosen', setting });
  want(draft, { type: 'set-agent', effect, setting });
  return undefined;
}

/** Ignores a choice that was replaced, or set when the agent started. */
export function decideSettingSettled(
  draft: Draft,
  { effect, outcome }: Extract<Input, { type: 'agent-setting-settled' }>,
): Refusal | undefined {
  if (isPending(draft.state, effect)) emit(draft, { type: 'agent-setting-settled', effect, outcome });
  return undefined;
}
