import { settingFor } from '../../kernel/agent-settings.ts';
import { settingFromWords, settingLines, settingText } from '../../views/agent-setting-text.ts';
import { statusOf } from '../../views/status.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';
import { deliver } from './reach-session.ts';
import { namedSession } from './stored-sessions.ts';

const options = storedOptions;

export const setCommand: CliCommand = {
  usage: ['set SESSION', 'set SESSION mode NAME', 'set SESSION OPTION VALUE'],
  about: `Shows the modes and options of a session's external agent, or changes one, even during a turn. If the session is
idle, the change applies on resume. SESSION is an id, a prefix, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 3 });
    const [given, name, value] = words;
    if (name !== undefined) personOnly('set');
    await using stored = await namedSession(given, values);
    const { session } = stored;
    const { state } = await stored.load(session);
    const { agent, agentSettings: settings } = statusOf(state);
    if (name === undefined) {
      if (values.json === true) printJson({ session, agent, ...settings });
      else if (settings === undefined) console.log(`${agent} hasn't reported any settings.`);
      else console.log(settingLines(settings).join('\n'));
      return 0;
    }
    if (value === undefined) throw usageError(`which value? \`rondo set ${given}\` lists them`);
    const setting = settingFor(state, settingFromWords(name, value, settings));
    if (typeof setting === 'string') throw usageError(setting);
    const done = await deliver(stored.store, session, { type: 'agent-setting-chosen', setting });
    const { letter: _, silent: __, ...rest } = { letter: undefined, silent: undefined, ...done };
    if (values.json === true) printJson({ session, setting, ...rest });
    else if (done.type === 'refused') console.error(`rondo set: ${session}: ${done.message}`);
    else console.log(`Session ${session}: ${settingText(setting)}, ${doneText[done.type]}.`);
    return done.type === 'refused' ? 1 : 0;
  },
};

const doneText = { asked: 'requested from the agent', kept: 'saved; applies on resume' } as const;
