import { nearestName } from '../kernel/nearest-name.ts';
import { optional } from '../kernel/optional.ts';
import { modelOption } from '../views/agent-setting-text.ts';
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
      const models = (await rondo.models(session.id)).map(({ id }) => id);
      const current = status.model ?? models[0];
      return { type: 'models', models, ...optional({ current }) };
    }
    const [receipt, listed] = await Promise.all([
      session.send({ type: 'agent', agent: status.agent, model: name }),
      rondo.models(session.id),
    ]);
    const models = listed.map(({ id }) => id);
    const nearest = models.includes(name) ? undefined : nearestName(name, models);
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    if (receipt.type === 'refused') return { type: 'refused', message: `${receipt.refusal.message}${hint}` };
    const text = `Model: ${name}, from the next turn on.`;
    // A provider may have models that it doesn't list.
    return models.includes(name)
      ? { type: 'changed', text }
      : { type: 'done', text: `${text} It isn't listed.${hint}` };
  },
});
