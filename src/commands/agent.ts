import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';

export const agent = sessionCommand({
  name: 'agent',
  parameters: [{ name: 'name' }],
  summary: 'show the agent, or use another one',
  async run({ name }, { session, switchAgent }) {
    if (name === undefined) return { type: 'done', text: (await session.status()).agent };
    if (switchAgent !== undefined) {
      await switchAgent(name);
      return { type: 'done', text: `Agent: ${name}. Each agent keeps its own conversation.` };
    }
    const receipt = await session.send({ type: 'agent', agent: name });
    return changed(receipt, `Agent: ${name}, from the next turn on.`);
  },
});
