import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';

import type { Status } from '../../views/status.ts';

/** Available choices in a folder. */
export interface Choices {
  readonly agents: readonly { readonly name: string; readonly description: string }[];
  readonly models: readonly { readonly id: string; readonly description: string }[];
}

/** Approval modes, labeled for editors. */
const MODES: SessionModeState['availableModes'] = [
  { id: 'interactive', name: 'Ask', description: 'Asks before calls that no rule allows' },
  { id: 'supervised', name: 'Supervised', description: 'Asks before every call and every reply' },
  { id: 'batch', name: 'Unattended', description: 'Never asks; refuses calls that no rule allows' },
  { id: 'repl', name: 'REPL', description: 'Runs a line that is a tool call; any other line is a prompt' },
];

export function modesOf({ mode }: Pick<Status, 'mode'>): SessionModeState {
  const isListed = MODES.some(({ id }) => id === mode);
  return { currentModeId: mode, availableModes: isListed ? MODES : [...MODES, { id: mode, name: mode }] };
}

export function configOptionsOf(
  { agent, model }: Pick<Status, 'agent' | 'model'>,
  choices: Choices,
): SessionConfigOption[] {
  const models = choices.models.map(({ id, description }) => ({ value: id, name: id, description }));
  const current = model ?? '';
  const isKnown = models.some(({ value }) => value === current);
  const own = { value: current, name: current === '' ? "The agent's own" : current, description: '' };
  return [
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: current,
      options: isKnown ? models : [own, ...models],
    },
    {
      type: 'select',
      id: 'agent',
      name: 'Agent',
      currentValue: agent,
      options: choices.agents.map(({ name, description }) => ({ value: name, name, description })),
    },
  ];
}
