import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';

export const agent = sessionCommand({
  name: 'agent',
  parameters: [{ name: 'name' }],
  summary: 'show the agent, or use another one',
  async run({ name }, { rondo, session, switchAgent }) {
    if (name === undefined) {
      const [agents, { agent: current }] = await Promise.all([rondo.agents(session.id), session.status()]);
      return { type: 'agents', agents, current };
    }
    if (switchAgent !== undefined) {
      await switchAgent(name);
      return { type: 'done', text: `Agent: ${name}. Each agent keeps its own conversation.` };
    }
    const receipt = await session.send({ type: 'agent', agent: name });
    return changed(receipt, `Agent: ${name}, from the next turn on.`);
  },
});
