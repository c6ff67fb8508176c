import type { ClientInput } from '../ports/client-input.ts';
import type { Receipt } from '../ports/receipt.ts';
import { settingFromWords, settingText } from '../views/agent-setting-text.ts';
import type { Status } from '../views/status.ts';
import { changed } from './changed.ts';
import { misuse, sessionCommand } from './command.ts';
import type { CommandResult } from './command-result.ts';

export const set = sessionCommand({
  name: 'set',
  isForPeople: true,
  parameters: [{ name: 'name' }, { name: 'value' }],
  summary: "show an external agent's own mode and options, or change one",
  run: async ({ name, value }, { session }) => showOrSet(session, await session.status(), name, value),
});

type SettingInput = Extract<ClientInput, { type: 'agent-setting' }>;

export async function showOrSet(
  session: { send(input: SettingInput): Promise<Receipt> },
  { agent, agentSettings: settings }: Status,
  name: string | undefined,
  value: string | undefined,
): Promise<CommandResult> {
  if (name === undefined || value === undefined) return { type: 'settings', agent, settings, name };
  const setting = settingFromWords(name, value, settings);
  const receipt = await session.send({ type: 'agent-setting', setting });
  if (receipt.type === 'refused' && receipt.refusal.code === 'invalid') return misuse(receipt.refusal.message);
  return changed(receipt, `Asked ${agent} for ${settingText(setting)}.`);
}
