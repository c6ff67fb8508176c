import { resultLines } from '../../commands/lines/result-lines.ts';
import { showOrSet } from '../../commands/set.ts';
import { settingFromWords, settingText } from '../../views/agent-setting-text.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';
import { storedClient } from './stored-client.ts';
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
    await using client = storedClient(stored, session);
    const status = await client.status();
    if (name !== undefined && value === undefined)
      throw usageError(`which value? \`rondo set ${given}\` lists them`);
    const result = await showOrSet(client, status, name, value);
    if (name === undefined || value === undefined) {
      const { agent, agentSettings } = status;
      if (values.json === true) printJson({ session, agent, ...agentSettings });
      else console.log((await resultLines(result)).join('\n'));
      return 0;
    }
    const setting = settingFromWords(name, value, status.agentSettings);
    if (result.type === 'refused') {
      const { message } = result;
      if (result.isUsage === true) throw usageError(message);
      if (values.json === true) printJson({ session, setting, type: 'refused', message });
      else console.error(`rondo set: ${session}: ${message}`);
      return 1;
    }
    const route = client.route();
    const process = route.type === 'asked' ? { pid: route.pid } : {};
    if (values.json === true) printJson({ session, setting, type: route.type, ...process });
    else
      console.log(
        `Session ${session}: ${settingText(setting)}, ${route.type === 'asked' ? 'requested from the agent' : 'saved; applies on resume'}.`,
      );
    return 0;
  },
};
