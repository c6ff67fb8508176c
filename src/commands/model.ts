import { nearestName } from '../kernel/nearest-name.ts';
import { modelOption } from '../views/agent-setting-text.ts';
import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';
import { showOrSet } from './set.ts';

export const model = sessionCommand({
  name: 'model',
  parameters: [{ name: 'name' }],
  summary: 'show the model, or use another one',
  async run({ name }, { rondo, session }) {
    const status = await session.status();
    const own = modelOption(status.agentSettings);
    if (own !== undefined) return showOrSet(session, status, own.id, name);
    if (name === undefined) {
      const models = await rondo.models(session.id);
      const current = status.model ?? models[0];
      return { type: 'models', models, ...(current !== undefined && { current }) };
    }
    const receipt = await session.send({ type: 'agent', agent: status.agent, model: name });
    if (receipt.type === 'accepted' || receipt.refusal.code !== 'not-found')
      return changed(receipt, `Model: ${name}, from the next turn on.`);
    const nearest = nearestName(name, await rondo.models(session.id));
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    return { type: 'refused', message: `${receipt.refusal.message}${hint}` };
  },
});
