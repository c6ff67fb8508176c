import { isModeName, modes } from '../kernel/mode.ts';
import { offersMode } from '../views/agent-setting-text.ts';
import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';
import { showOrSet } from './set.ts';

export const mode = sessionCommand({
  name: 'mode',
  isForPeople: true,
  parameters: [{ name: 'name' }],
  summary: 'show the mode, or change it',
  async run({ name }, { session }) {
    const status = await session.status();
    if (name === undefined) {
      const others = Object.keys(modes).filter((other) => other !== status.mode);
      return { type: 'mode', mode: status.mode, others };
    }
    if (!isModeName(name) && offersMode(status.agentSettings, name))
      return showOrSet(session, status, 'mode', name);
    return changed(await session.send({ type: 'mode', mode: name }), `Mode: ${name}.`);
  },
});
