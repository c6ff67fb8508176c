/**
 * A session's settings for editors: mode, model, agent, and the modes and options of an external agent.
 *
 * Approval modes appear twice: as modes for older editors, and as an option for those that show options instead.
 */
import { RequestError, type SessionConfigOption, type SessionModeState } from '@agentclientprotocol/sdk';

import { nearestName } from '../../kernel/nearest-name.ts';
import { optional } from '../../kernel/optional.ts';
import type { AgentOption } from '../../kernel/report.ts';
import type { ClientInput } from '../../session/client-input.ts';
import { modelOption } from '../../views/agent-setting-text.ts';
import type { Status } from '../../views/status.ts';

/** Available choices in a folder. */
export interface Choices {
  readonly agents: readonly { readonly name: string; readonly description: string }[];
  readonly models: readonly { readonly id: string; readonly description: string }[];
}

type SetStatus = Pick<Status, 'mode' | 'agent' | 'model' | 'agentSettings'>;

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
  status: SetStatus,
  choices: Choices,
  { takesSwitches }: { readonly takesSwitches: boolean },
): SessionConfigOption[] {
  const { agent, agentSettings: settings = {} } = status;
  const { currentModeId, availableModes } = modesOf(status);
  return [
    select({ id: 'mode', name: 'Mode', category: 'mode' }, currentModeId, availableModes.map(namedChoice)),
    // An external agent's own list of models replaces ours.
    ...(modelOption(settings) === undefined ? [modelSelect(status, choices)] : []),
    agentSelect(status, choices),
    ...(settings.mode === undefined || settings.modes === undefined
      ? []
      : [select({ id: `${OWN}mode`, name: `${agent}: mode` }, settings.mode, settings.modes.map(namedChoice))]),
    ...(settings.options ?? []).map((option) => ownOption(option, agent, takesSwitches)),
  ];
}

/** Prefix of an external agent's own settings. */
const OWN = 'agent:';

function modelSelect({ model = '' }: SetStatus, { models }: Choices): SessionConfigOption {
  const listed = models.map(({ id, description }) => ({ value: id, name: id, description }));
  const current = { value: model, name: model === '' ? 'Default' : model };
  return select({ id: 'model', name: 'Model', category: 'model' }, model, withCurrent(listed, current));
}

function agentSelect({ agent }: SetStatus, { agents }: Choices): SessionConfigOption {
  const listed = agents.map(({ name, description }) => ({ value: name, name, description }));
  return select({ id: 'agent', name: 'Agent' }, agent, withCurrent(listed, { value: agent, name: agent }));
}

function withCurrent(listed: readonly SelectChoice[], current: SelectChoice): readonly SelectChoice[] {
  return listed.some(({ value }) => value === current.value) ? listed : [current, ...listed];
}

function ownOption(
  { id, name, category, value, choices }: AgentOption,
  agent: string,
  takesSwitches: boolean,
): SessionConfigOption {
  const labels = {
    id: `${OWN}option:${id}`,
    name: `${agent}: ${name}`,
    ...optional({ category }),
  };
  if (typeof value === 'string')
    return select(labels, value, (choices ?? [{ id: value, name: value }]).map(namedChoice));
  if (takesSwitches) return { type: 'boolean', ...labels, currentValue: value };
  return select(labels, value ? 'on' : 'off', [
    { value: 'on', name: 'On' },
    { value: 'off', name: 'Off' },
  ]);
}

type Labels = Pick<SessionConfigOption, 'id' | 'name' | 'category'>;
type SelectChoice = { readonly value: string; readonly name: string; readonly description?: string | null };

function select(labels: Labels, currentValue: string, options: readonly SelectChoice[]): SessionConfigOption {
  return { type: 'select', ...labels, currentValue, options: options.map((option) => ({ ...option })) };
}

function namedChoice({ id, name, description }: { id: string; name: string; description?: string | null }) {
  return { value: id, name, ...(typeof description === 'string' && { description }) };
}

/** The input that sets an option to one of its offered values. Throws the client's error response otherwise. */
export function optionInput(
  configId: string,
  value: unknown,
  status: SetStatus,
  offered: readonly SessionConfigOption[],
): ClientInput {
  const option = offered.find(({ id }) => id === configId);
  if (option === undefined) {
    const ids = offered.map(({ id }) => id).join(', ');
    throw RequestError.invalidParams(undefined, `Unknown option ${configId}. The options are ${ids}.`);
  }
  // The session knows agents that aren't listed, and refuses the others.
  if (configId === 'agent' && typeof value === 'string') return { type: 'agent', agent: value };
  const chosen = offeredValue(option, value);
  if (configId.startsWith(`${OWN}option:`)) {
    const id = configId.slice(`${OWN}option:`.length);
    const own = status.agentSettings?.options?.find((one) => one.id === id);
    const given = typeof own?.value === 'boolean' && typeof chosen === 'string' ? chosen === 'on' : chosen;
    return { type: 'agent-setting', setting: { type: 'option', option: id, value: given } };
  }
  const text = String(chosen);
  switch (configId) {
    case `${OWN}mode`:
      return { type: 'agent-setting', setting: { type: 'mode', mode: text } };
    case 'mode':
      return { type: 'mode', mode: text };
    default:
      return { type: 'agent', agent: status.agent, ...(text !== '' && { model: text }) };
  }
}

function offeredValue(option: SessionConfigOption, value: unknown): string | boolean {
  if (option.type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw RequestError.invalidParams(undefined, `${option.name} is true or false, not ${JSON.stringify(value)}.`);
  }
  const values = option.options.flatMap((one) =>
    'value' in one ? [one.value] : one.options.map((choice) => choice.value),
  );
  if (typeof value === 'string' && values.includes(value)) return value;
  const nearest = typeof value === 'string' ? nearestName(value, values) : undefined;
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw RequestError.invalidParams(
    undefined,
    `${JSON.stringify(value)} isn't one of the values of ${option.name}.${hint}`,
  );
}
