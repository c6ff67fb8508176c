/** Slash commands in the composer: the registry of every front end, carried out here as far as a page can. */
import { createSlashCommands } from '../../../src/protocol/slash-commands.ts';
import { standardSlashCommands } from '../../../src/protocol/standard-slash-commands.ts';
import {
  modelOption,
  offersMode,
  settingFromWords,
  settingLines,
  settingText,
} from '../../../src/views/agent-setting-text.ts';
import {
  contextHeadline,
  contextPartWords,
  percentOf,
  type ContextShare,
} from '../../../src/views/context-share.ts';
import type { Status } from '../../../src/views/status.ts';
import { callApi, getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { isModeName } from '../../../src/kernel/mode.ts';
import { nearestName } from '../../../src/kernel/nearest-name.ts';
import { costText, tokensText } from '../look/amounts.ts';
import type { Router } from '../shell/router.svelte.ts';
import { exportSession } from './export-session.ts';
import { openQuestions, type SessionView } from './session-view.ts';

export type SlashOutcome =
  | { readonly type: 'not-a-command' }
  | { readonly type: 'handled'; readonly say: string | undefined; readonly clears: boolean };

export interface SlashPlace {
  readonly app: RondoApp;
  readonly router: Router;
  readonly session: string;
  readonly view: SessionView;
}

/** What only a terminal has a use for, or what takes what a page does not know. */
const notHere: readonly string[] = ['clear', 'history'];

const commands = createSlashCommands(
  standardSlashCommands.filter(({ name }) => !notHere.includes(name)),
  { notHere },
);

export const webSlashCommands = commands.list();

export async function runSlash(text: string, place: SlashPlace): Promise<SlashOutcome> {
  const decision = commands.decide(text);
  switch (decision.type) {
    case 'verb':
    case 'no-command':
      return { type: 'not-a-command' };
    case 'command':
      return { type: 'handled', say: await carryOut(decision.name, decision.args, place), clears: true };
    case 'missing-argument':
    case 'too-many-arguments':
      return { type: 'handled', say: `It goes like this: ${decision.usage}`, clears: false };
    case 'unknown': {
      const hint = decision.nearest === undefined ? '' : ` Did you mean /${decision.nearest}?`;
      return { type: 'handled', say: `There is no command /${decision.name}.${hint}`, clears: false };
    }
    case 'not-here':
      return {
        type: 'handled',
        say: `/${decision.name} is for the terminal; the conversation is above.`,
        clears: false,
      };
  }
}

async function carryOut(
  name: string,
  args: Readonly<Record<string, string>>,
  { app, router, session, view }: SlashPlace,
): Promise<string | undefined> {
  const { status } = view;
  const go = (path: string) => {
    router.go(path);
    return undefined;
  };
  switch (name) {
    case 'help':
      return commands.help(args['command']);
    case 'exit':
    case 'sessions':
    case 'new':
      return go('/');
    case 'resume':
      return go(`/s/${args['session'] ?? ''}`);
    case 'agent': {
      const agent = args['name'];
      if (agent === undefined) return `The agent is ${status.agent}.`;
      const isTaken = await app.send(session, { type: 'agent', agent });
      return isTaken ? `The agent is ${agent} from the next turn on.` : undefined;
    }
    case 'agents': {
      const known = await getApi<{ readonly agents: readonly { readonly name: string }[] }>('/agents');
      return known.type === 'ok' ? known.value.agents.map((agent) => agent.name).join('\n') : known.message;
    }
    case 'model': {
      const model = args['name'];
      const own = modelOption(status.agentSettings);
      if (own !== undefined) return setOwn(own.id, model, { app, session, status });
      if (model === undefined) return `The model is ${status.model ?? 'the agent’s own'}.`;
      const problem = await problemWithModel(model, session);
      if (problem !== undefined) return problem;
      const isTaken = await app.send(session, { type: 'agent', agent: status.agent, model });
      return isTaken ? `The model is ${model} from the next turn on.` : undefined;
    }
    case 'mode': {
      const mode = args['name'];
      if (mode === undefined) return `The mode is ${status.mode}.`;
      if (!isModeName(mode) && offersMode(status.agentSettings, mode))
        return setOwn('mode', mode, { app, session, status });
      return (await app.send(session, { type: 'mode', mode })) ? `The mode is ${mode}.` : undefined;
    }
    case 'set':
      return setOwn(args['name'], args['value'], { app, session, status });
    case 'status': {
      // The one at hand may be a moment old.
      const now = await getApi<Status>(`/sessions/${session}`);
      const { words, doing } = now.type === 'ok' ? now.value : status;
      return [words, ...doing.map((one) => `It is ${one.words}.`)].join('\n');
    }
    case 'usage': {
      const { inputTokens, outputTokens, cost, costIsKnown, turns, children } = status.usage;
      const all = `${turns} turns, ${tokensText(inputTokens)} tokens in, ${tokensText(outputTokens)} out, ${costText(cost, costIsKnown)}`;
      if (children === undefined) return all;
      const tokens = tokensText(children.inputTokens + children.outputTokens);
      return `${all}\nof these sub-agents: ${tokens} tokens, ${costText(children.cost, children.costIsKnown)}`;
    }
    case 'context': {
      const share = await getApi<ContextShare>(`/sessions/${session}/context`);
      return share.type === 'ok' ? contextText(share.value) : share.message;
    }
    case 'workers':
    case 'jobs':
      return go('/workers');
    case 'approve':
    case 'trust':
    case 'deny': {
      const [first] = openQuestions(view);
      if (first === undefined) return 'No question is open here.';
      const reason = args['reason'];
      await app.answer(
        first.item.question,
        name === 'deny'
          ? { choice: 'reject', ...(reason !== undefined && { reason }) }
          : { choice: name === 'trust' ? 'allow-session' : 'allow-once' },
      );
      return undefined;
    }
    case 'compact': {
      const keep = args['keep'];
      await app.send(session, { type: 'compact', ...(keep !== undefined && { keep }) });
      return undefined;
    }
    case 'why':
      return go(`/audit/${session}`);
    case 'fork': {
      const at = Number(args['event'] ?? Number.NaN);
      const body = Number.isSafeInteger(at) ? { at } : {};
      const made = await callApi<{ readonly id?: string }>('POST', `/sessions/${session}/fork`, { body });
      return made.type === 'problem' ? made.message : go(`/s/${made.value.id ?? session}`);
    }
    case 'rewind': {
      const done = await callApi('POST', `/sessions/${session}/rewind`, { body: { to: Number(args['event']) } });
      return done.type === 'problem' ? done.message : undefined;
    }
    case 'export':
      return exportSession(session, args['file']);
    default:
      return `/${name} cannot be done from the web app yet.`;
  }
}

/** How full the model's window is, and with what. */
function contextText(share: ContextShare): string {
  const { tokens, window, parts } = share;
  const whole = Math.max(window ?? tokens, tokens, 1);
  const lines = parts
    .filter((part) => part.tokens > 0)
    .map(
      (part) => `${contextPartWords[part.name]}: ${tokensText(part.tokens)} (${percentOf(part.tokens, whole)})`,
    );
  return [contextHeadline(share), ...lines].join('\n');
}

/** Shows or changes what an external agent has of its own. */
async function setOwn(
  name: string | undefined,
  value: string | undefined,
  { app, session, status }: Pick<SlashPlace, 'app' | 'session'> & { readonly status: Status },
): Promise<string | undefined> {
  const { agent, agentSettings: told } = status;
  if (name !== undefined && value !== undefined) {
    const setting = settingFromWords(name, value, told);
    const isTaken = await app.send(session, { type: 'agent-setting', setting });
    return isTaken ? `${agent} is told: ${settingText(setting)}.` : undefined;
  }
  const lines = told === undefined ? [] : settingLines(told).filter((line) => line.startsWith(name ?? ''));
  return lines.length === 0 ? `${agent} has told no settings of its own so far.` : lines.join('\n');
}

/** One that is not listed may be there all the same, at a provider that is. */
async function problemWithModel(model: string, session: string): Promise<string | undefined> {
  const known = await getApi<{ readonly models: readonly { readonly id: string }[] }>(
    `/models?session=${session}`,
  );
  if (known.type === 'problem') return known.message;
  const names = known.value.models.map(({ id }) => id);
  const provider = model.slice(0, model.indexOf('/') + 1);
  if (names.includes(model) || (provider !== '' && names.some((name) => name.startsWith(provider))))
    return undefined;
  const nearest = nearestName(model, names);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `There is no model ${model}.${hint} There are:\n${names.join('\n')}`;
}
