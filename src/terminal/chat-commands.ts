/** What the slash commands do in a chat. What they show is said on the screen; the rest they do. */
import { isModeName, modes } from '../kernel/mode.ts';
import type { Answer } from '../kernel/question.ts';
import { modelOption, offersMode, settingFromWords, settingLines } from '../views/agent-setting-text.ts';
import { childUsageText, costText, tokensText } from '../views/cost-text.ts';
import { durationText } from '../views/duration-text.ts';
import { oneLine } from '../views/one-line.ts';
import { questionLine } from '../views/question-text.ts';
import type { Chat, Screen } from './chat.ts';
import type { ChatBackend } from './chat-backend.ts';
import { openQuestionsIn } from './chat-view.ts';

export interface CommandPlace {
  readonly chat: Chat;
  readonly backend: ChatBackend;
  readonly screen: Screen;
}

type Args = Readonly<Record<string, string>>;
type MaybeText = string | undefined | void;
type Handler = (args: Args, place: CommandPlace) => MaybeText | Promise<MaybeText>;

export const chatCommands: Readonly<Record<string, Handler>> = {
  help: ({ command }, { chat }) => chat.commands.help(command),
  exit: (_, { screen }) => screen.leave(),
  clear: (_, { chat }) => chat.show(chat.view.transcript.items.length),
  history({ count }, { chat }) {
    const { length } = chat.view.transcript.items;
    const most = count === undefined ? length : Number(count);
    if (!Number.isInteger(most) || most < 0) return `/history takes a number, not "${count}"`;
    return chat.show(Math.max(0, length - most));
  },
  async agent({ name }, { chat, backend }) {
    if (name === undefined) return `You talk to ${chat.view.status?.agent ?? 'nobody'}. /agents lists the others.`;
    await chat.switchTo(name);
    if (backend.server !== undefined) return `You talk to ${name} now.`;
    return `You talk to ${name} now; each agent keeps its own conversation.`;
  },
  async agents(_, { chat, backend }) {
    const agents = await backend.agents();
    const mark = (name: string) => (name === chat.view.status?.agent ? '●' : ' ');
    return agents.map(({ name, from }) => `${mark(name)} ${name}  (${from})`).join('\n');
  },
  async model({ name }, { chat, backend }) {
    const { agent = '', model, agentSettings } = chat.view.status ?? {};
    const own = modelOption(agentSettings);
    if (own !== undefined) return set({ name: own.id, ...(name !== undefined && { value: name }) }, chat);
    if (name === undefined) {
      const found = await backend.models();
      return [`The model is ${model ?? found[0] ?? 'the first that is found'}.`, ...found].join('\n  ');
    }
    const isDone = await chat.send({ type: 'agent', agent, model: name });
    return isDone ? `The model is ${name} from the next turn on.` : undefined;
  },
  async mode({ name }, { chat }) {
    if (name === undefined)
      return `The mode is ${chat.view.status?.mode ?? ''} (of ${Object.keys(modes).join(', ')}).`;
    const told = chat.view.status?.agentSettings;
    if (!isModeName(name) && offersMode(told, name)) return set({ name: 'mode', value: name }, chat);
    await chat.send({ type: 'mode', mode: name });
    return undefined;
  },
  set: (args, { chat }) => set(args, chat),
  sessions: ({ words = '' }, { screen }) => screen.pickSession(words),
  async new(_, { chat }) {
    const before = chat.view.session;
    const agent = chat.view.status?.agent;
    const hadHistory = chat.hasHistory;
    await chat.create(agent === undefined ? {} : { agent });
    return hadHistory ? `A new session. /resume ${before} goes back.` : 'A new session.';
  },
  resume: ({ session = '' }, { chat }) => chat.open(session),
  async fork({ event }, { chat, backend }) {
    const at = event === undefined ? undefined : Number(event);
    if (at !== undefined && !Number.isInteger(at)) return `/fork takes an event's number, not "${event}"`;
    const before = chat.view.session;
    await chat.open(await backend.fork(before, at));
    return `You are in a copy now. /resume ${before} goes back.`;
  },
  async rewind({ event = '' }, { chat, backend }) {
    const to = event === 'undo' ? event : Number(event);
    if (to !== 'undo' && !Number.isInteger(to)) return `/rewind takes an event's number or "undo", not "${event}"`;
    const result = await backend.rewind(chat.view.session, to);
    if (result.type === 'refused') return result.refusal.message;
    const { files } = result;
    return files.type === 'restored' ? `Files brought back: ${files.restored.length}.` : undefined;
  },
  status: (_, place) => statusText(place),
  usage(_, { chat }) {
    const { usage, limits } = chat.view.status ?? {};
    if (usage === undefined) return;
    const most = limits?.tokens === undefined ? '' : ` of ${limits.tokens}`;
    return [
      (usage.unreportedTurns ?? 0) > 0
        ? `${tokensText(usage)}${most}; ${costText(usage)}`
        : `${usage.inputTokens} tokens in (${usage.cachedTokens} cached), ${usage.outputTokens} out${most}; ${costText(usage)}`,
      `${usage.turns} turns, ${usage.steps} model calls, ${usage.toolCalls} tool calls`,
      ...(usage.children === undefined ? [] : [childUsageText(usage)]),
    ].join('\n');
  },
  workers(_, { chat }) {
    const { workers } = chat.view;
    if (workers.length === 0) return 'Nobody works for this session.';
    return workers
      .map(({ name, state, text, since, until }) => {
        const took = durationText((until ?? Date.now()) - since);
        return `${name}  ${state}  ${took}${text === '' ? '' : `  ${text}`}`;
      })
      .join('\n');
  },
  jobs: (_, { screen }) => screen.showJobs(),
  approve: async ({ question }, place) => answered(place, { type: 'allow-once' }, question),
  deny: async ({ reason }, place) => answered(place, { type: 'reject', ...(reason !== undefined && { reason }) }),
  trust: async (_, place) => answered(place, { type: 'allow-session' }),
};

/** Shows or changes what an external agent has of its own. */
async function set({ name, value }: Args, chat: Chat): Promise<string | undefined> {
  const { agent = '', agentSettings: told } = chat.view.status ?? {};
  if (name !== undefined && value !== undefined) {
    await chat.send({ type: 'agent-setting', setting: settingFromWords(name, value, told) });
    return undefined;
  }
  const lines = told === undefined ? [] : settingLines(told).filter((line) => line.startsWith(name ?? ''));
  return lines.length === 0 ? `${agent} has told no settings of its own so far.` : lines.join('\n');
}

async function answered(
  { chat, backend }: CommandPlace,
  answer: Answer,
  id?: string,
): Promise<string | undefined> {
  const open = openQuestionsIn(chat.view);
  const asked = id === undefined ? open[0] : open.find((question) => question.id.startsWith(id));
  if (asked === undefined)
    return id === undefined ? 'Nothing is asked at the moment.' : `There is no open question ${id}.`;
  const receipt = await backend.answer(asked.id, answer);
  return receipt.type === 'refused' ? receipt.refusal.message : undefined;
}

function statusText({ chat, backend }: CommandPlace): string {
  const { status } = chat.view;
  if (status === undefined) return '';
  const { queue, usage } = status;
  return [
    `session  ${status.session}${status.title === undefined ? '' : ` (${oneLine(status.title)})`}`,
    `state    ${status.words}${status.doing.map(({ words }) => `; ${words}`).join('')}`,
    `agent    ${status.agent}${status.model === undefined ? '' : ` (${status.model})`}, mode ${status.mode}`,
    `folder   ${status.cwd}${chat.branch === undefined ? '' : ` (${chat.branch})`}`,
    `served   ${backend.server ?? 'by this process'}`,
    `usage    ${tokensText(usage)}, ${costText(usage)}`,
    ...(queue.prompts.length === 0
      ? []
      : [`queue    ${queue.prompts.length} waiting${queue.paused ? ', paused' : ''}`]),
    ...openQuestionsIn(chat.view).map((question) => `asked    ${oneLine(questionLine(question))}`),
  ].join('\n');
}
