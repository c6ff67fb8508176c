import type { AgentSetting } from '../../kernel/agent-setting.ts';
import { settingFor } from '../../kernel/agent-settings.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { settingFromWords, settingLines, settingText } from '../../views/agent-setting-text.ts';
import { statusOf } from '../../views/status.ts';
import type { Command } from '../command.ts';
import { commonOptions, jsonOption, parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';
import { askOwner, leaveLetter, livingOwner } from './reach-session.ts';
import { storedSessionsFor, type StoredSessions } from './stored-sessions.ts';

const options = { ...jsonOption, ...storeOptions, ...commonOptions } as const;

export const setCommand: Command = {
  usage: ['set SESSION', 'set SESSION mode NAME', 'set SESSION OPTION VALUE'],
  about: `Shows the modes and options of a session's external agent, or changes one, even during a turn. If the session is
idle, the change applies on resume. SESSION is an id, a prefix, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 3 });
    const [given, name, value] = words;
    if (given === undefined) throw usageError('which session? `rondo ls` lists them');
    await using stored = await storedSessionsFor(given, values);
    const session = await stored.find(given);
    const { state } = await stored.load(session);
    const { agent, agentSettings: told } = statusOf(state);
    if (name === undefined) {
      if (values.json === true) printJson({ session, agent, ...told });
      else if (told === undefined) console.log(`${agent} hasn't reported any settings.`);
      else console.log(settingLines(told).join('\n'));
      return 0;
    }
    if (value === undefined) throw usageError(`which value? \`rondo set ${given}\` lists them`);
    const setting = settingFor(state, settingFromWords(name, value, told));
    if (typeof setting === 'string') throw usageError(setting);
    const done = await choose(stored, session, setting);
    if (values.json === true) printJson({ session, setting, ...done });
    else if (done.type === 'refused') console.error(`rondo set: ${session}: ${done.message}`);
    else console.log(`Session ${session}: ${settingText(setting)}, ${doneText[done.type]}.`);
    return done.type === 'refused' ? 1 : 0;
  },
};

const doneText = { asked: 'requested from the agent', kept: 'saved; applies on resume' } as const;

type Chosen =
  | { readonly type: 'asked'; readonly pid: number }
  | { readonly type: 'kept' }
  | { readonly type: 'refused'; readonly message: string };

async function choose({ store }: StoredSessions, session: SessionId, setting: AgentSetting): Promise<Chosen> {
  const body = { type: 'agent-setting-chosen', setting } as const;
  const owner = await livingOwner(store, session);
  if (owner === undefined) {
    await leaveLetter(store, session, body);
    return { type: 'kept' };
  }
  const receipt = await askOwner(store, session, body);
  if (receipt === 'silent') return { type: 'kept' };
  if (receipt.type === 'accepted') return { type: 'asked', pid: owner.pid };
  return { type: 'refused', message: receipt.refusal.message };
}
