/** Slash commands in the composer: the registry of every front end, carried out here as far as a page can. */
import { createSlashCommands } from '../../../src/protocol/slash-commands.ts';
import { standardSlashCommands } from '../../../src/protocol/standard-slash-commands.ts';
import type { Status } from '../../../src/views/status.ts';
import { callApi, getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { costText, tokensText } from '../look/amounts.ts';
import type { Router } from '../shell/router.svelte.ts';
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

const commands = createSlashCommands(standardSlashCommands);

export async function runSlash(text: string, place: SlashPlace): Promise<SlashOutcome> {
  const decision = commands.decide(text);
  switch (decision.type) {
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
      return { type: 'handled', say: `/${decision.name} is not there yet.`, clears: false };
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
      await app.send(session, { type: 'agent', agent });
      return undefined;
    }
    case 'agents': {
      const known = await getApi<{ readonly agents: readonly { readonly name: string }[] }>('/agents');
      return known.type === 'ok' ? known.value.agents.map((agent) => agent.name).join('\n') : known.message;
    }
    case 'model':
      return args['name'] === undefined
        ? `The model is ${status.model ?? 'the agent’s own'}.`
        : 'A session keeps its agent’s model; /agent changes both.';
    case 'mode': {
      const mode = args['name'];
      if (mode === undefined) return `The mode is ${status.mode}.`;
      await app.send(session, { type: 'mode', mode });
      return undefined;
    }
    case 'status': {
      // The one at hand may be a moment old.
      const now = await getApi<Status>(`/sessions/${session}`);
      const { words, doing } = now.type === 'ok' ? now.value : status;
      return [words, ...doing.map((one) => `It is ${one.words}.`)].join('\n');
    }
    case 'usage':
    case 'context': {
      const { inputTokens, outputTokens, cost, costIsKnown, turns } = status.usage;
      return `${turns} turns, ${tokensText(inputTokens)} tokens in, ${tokensText(outputTokens)} out, ${costText(cost, costIsKnown)}`;
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
    case 'clear':
    case 'history':
      return 'The whole conversation is above; scroll up for what came before.';
    default:
      return `/${name} cannot be done from the web app yet.`;
  }
}
