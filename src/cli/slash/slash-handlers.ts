import { listAgents } from '../../agents/resolve-agent.ts';
import type { Body } from '../../kernel/content.ts';
import { Fault } from '../../kernel/fault.ts';
import { modes } from '../../kernel/mode.ts';
import type { SlashCommands } from '../../protocol/slash-commands.ts';
import type { ClientInput } from '../../session/client-input.ts';
import type { LoadedSession } from '../../session/read/load-session.ts';
import { readTranscript } from '../../session/read/read-transcript.ts';
import { readConversation } from '../../session/read/read-conversation.ts';
import type { Session } from '../../session/handle/session.ts';
import { settingFromWords, settingLines, settingText } from '../../views/agent-setting-text.ts';
import { contextShareOf } from '../../views/context-share.ts';
import { statusOf } from '../../views/status.ts';
import type { TranscriptPage } from '../../views/transcript-page.ts';
import { usageReportOf } from '../../views/usage.ts';
import { askedLines } from '../sessions/asked-lines.ts';
import { contextLines } from '../sessions/context-lines.ts';
import { lettersFor, livingOwner } from '../sessions/reach-session.ts';
import { rewoundText } from '../sessions/rewound-text.ts';
import { statusLines } from '../sessions/status-lines.ts';
import { itemLines } from '../sessions/transcript-lines.ts';
import { usageLines } from '../sessions/usage-lines.ts';
import { terminalActor } from '../terminal-actor.ts';
import { terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import { exportTarget } from './export-target.ts';

export interface SlashPlace {
  readonly workspace: Workspace;
  readonly commands: SlashCommands;
  readonly session: LoadedSession | undefined;
}

type Handler = (args: Readonly<Record<string, string>>, place: SlashPlace) => string | Promise<string>;

/** What each command shows. Looking at a session never opens it. */
export const slashHandlers: Readonly<Record<string, Handler>> = {
  help: ({ command }, { commands }) => commands.help(command),
  agents: (_, { workspace }) =>
    listAgents(workspace.config)
      .map(({ name, layer }) => `${name}\t${layer}`)
      .join('\n'),
  async sessions({ words }, { workspace }) {
    const page = await workspace.store.journal.list(words === undefined ? {} : { q: words });
    return page.entries.map(({ session, state, title }) => `${session}\t${state}\t${title}`).join('\n');
  },
  async status(_, place) {
    const { state, damage } = sessionIn(place);
    const letters = (await lettersFor(place.workspace.store, state.id)).length;
    const terminal = terminalOf(process.stdout);
    const { blobs } = place.workspace.store;
    const read = async (body: Body) =>
      typeof body === 'string' ? body : ((await blobs.get(body.blob)) ?? body.preview);
    const status = statusOf(state);
    const seen = { read, cwd: state.cwd, paint: terminal.paint, answerBy: 'command' } as const;
    const asked = await Promise.all(status.questions.map((question) => askedLines(question, seen)));
    const at = { terminal, letters, now: Date.now(), asked };
    return statusLines(status, { ...at, ...(damage !== undefined && { damage }) }).join('\n');
  },
  async usage(_, place) {
    const { state } = sessionIn(place);
    const report = usageReportOf(state.id, await eventsOf(place));
    return usageLines(report, terminalOf(process.stdout)).join('\n');
  },
  async history({ count }, place) {
    const { state } = sessionIn(place);
    const most = count === undefined ? 100 : Number(count);
    if (!Number.isInteger(most) || most < 0) throw usageError(`/history takes a number, not "${count}"`);
    const { blobs, journal } = place.workspace.store;
    const { items } = await readTranscript(journal, state.id, { limit: most });
    const read = async (body: Body) =>
      typeof body === 'string' ? body : ((await blobs.get(body.blob)) ?? body.preview);
    const terminal = terminalOf(process.stdout);
    const parts = await Promise.all(items.map((item) => itemLines(item, read, terminal)));
    return parts.map((lines) => lines.join('\n')).join('\n\n');
  },
  async context(_, place) {
    const { state } = sessionIn(place);
    const { conversation } = await readConversation(place.workspace.store, state.id, state.context);
    return contextLines(contextShareOf(state, conversation), terminalOf(process.stdout)).join('\n');
  },
  async compact({ keep }, place) {
    const session = await changeable(place);
    const reply = await session.compact({ by: terminalActor, ...(keep !== undefined && { keep }) });
    if (reply.refusal !== undefined) throw usageError(`session ${session.id}: ${reply.refusal.message}`);
    if (reply.outcome !== 'completed') throw new Fault('process', `Session ${session.id}: ${reply.reason}`);
    return compactedWords(await session.transcript({ limit: 5 }));
  },
  async why({ event }, place) {
    const { state } = sessionIn(place);
    const number = event === undefined ? undefined : eventFrom('why', event);
    const { whyTurn } = await import('../sessions/why-turn.ts');
    const tools = state.agent.tools ?? 'all';
    const { config, store } = place.workspace;
    const why = await whyTurn((range) => store.journal.read(state.id, range), {
      tools,
      config,
      cwd: state.cwd,
      ...(number !== undefined && { event: number }),
    });
    return why === undefined ? 'There is no prompt whose intent was worked out.' : why.lines.join('\n');
  },
  async export({ file }, place) {
    const { state } = sessionIn(place);
    const { writePieces } = await import('../../upkeep/write-pieces.ts');
    const { to, format } = exportTarget(file, { session: state.id, cwd: state.cwd });
    const { pieces, leftOut } = await place.workspace.rondo.sessions.export(state.id, { format });
    await writePieces(pieces, to);
    return leftOut.length === 0 ? to : `${to}\n${leftOut.length} sub-agents are not in it: ${leftOut.join(', ')}`;
  },
  async fork({ event }, place) {
    const { state } = sessionIn(place);
    const at = event === undefined ? undefined : eventFrom('fork', event);
    const given = { by: terminalActor, ...(at !== undefined && { at }) };
    const session = await place.workspace.rondo.sessions.fork(state.id, given);
    return `Session ${session.id} goes on from here; ${state.id} stays as it is.`;
  },
  async rewind({ event = '' }, place) {
    const to = event === 'undo' ? 'undo' : eventFrom('rewind', event);
    const session = await changeable(place);
    const result = await session.rewind({ to, by: terminalActor });
    if (result.type === 'refused') throw usageError(result.refusal.message);
    return rewoundText(session.id, result);
  },
  async agent({ name }, place) {
    const { agent } = sessionIn(place).state;
    if (name === undefined) return agent.name;
    await change(place, { type: 'agent', agent: name });
    return `The agent is ${name} from the next turn on.`;
  },
  async model({ name }, place) {
    const { agent } = sessionIn(place).state;
    if (name === undefined) return agent.model ?? '(the first that was found: see `rondo models`)';
    const problem = (await place.workspace.models()).problemWith(name);
    if (problem !== undefined) throw usageError(problem);
    await change(place, { type: 'agent', agent: agent.name, model: name });
    return `The model is ${name} from the next turn on.`;
  },
  async mode({ name }, place) {
    const { mode } = sessionIn(place).state;
    if (name === undefined) return `${mode.name} (of ${Object.keys(modes).join(', ')})`;
    await change(place, { type: 'mode', mode: name });
    return `The mode is ${name} now.`;
  },
  async set({ name, value }, place) {
    const { agent, agentSettings: told } = statusOf(sessionIn(place).state);
    if (name === undefined || value === undefined) {
      return told === undefined
        ? `${agent} has told no settings of its own so far.`
        : settingLines(told).join('\n');
    }
    const setting = settingFromWords(name, value, told);
    await change(place, { type: 'agent-setting', setting });
    return `${agent} is asked for ${settingText(setting)}.`;
  },
};

function eventFrom(command: string, text: string): number {
  const event = Number(text);
  if (Number.isInteger(event) && event > 0) return event;
  throw usageError(
    `/${command} takes the number of an event, not "${text}"; \`rondo show SESSION --events\` lists them`,
  );
}

function sessionIn({ session }: SlashPlace): LoadedSession {
  if (session === undefined) throw usageError('which session? name it with --session ID');
  return session;
}

async function eventsOf({ workspace, session }: SlashPlace) {
  if (session === undefined) return [];
  return (await workspace.store.journal.read(session.state.id, { after: 0 })).events;
}

function compactedWords({ items }: TranscriptPage): string {
  const about = items.flatMap((item) => (item.type === 'notice' ? [item.about] : [])).at(-1);
  if (about?.type !== 'compacted' || about.outcome === 'completed') {
    return 'The older part of the conversation is a summary now; all of it stays in the journal (/history).';
  }
  return about.message ?? 'Nothing was summed up.';
}

async function change(place: SlashPlace, input: ClientInput): Promise<void> {
  const session = await changeable(place);
  const receipt = await session.send(input, { by: terminalActor });
  if (receipt.type === 'refused') throw usageError(`session ${session.id}: ${receipt.refusal.message}`);
}

/** Changing a session takes it over; in the middle of a turn that would take up the turn as well. */
async function changeable(place: SlashPlace): Promise<Session> {
  const { workspace } = place;
  const { state } = sessionIn(place);
  const isInTurn = state.phase.type === 'turn' || state.phase.type === 'cancelling';
  if (isInTurn && (await livingOwner(workspace.store, state.id)) === undefined) {
    throw usageError(
      `session ${state.id} was left in the middle of a turn; go on with it or cancel it first (rondo cancel ${state.id})`,
    );
  }
  return workspace.rondo.sessions.open(state.id);
}
