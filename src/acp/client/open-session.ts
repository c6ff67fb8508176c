/**
 * Prepares a started agent: initializes it, logs in if required, and opens or resumes its session. Reports if the
 * session couldn't be resumed.
 */
import type { AgentSetting } from '../../kernel/agent-setting.ts';
import { optional } from '../../kernel/optional.ts';
import type { AgentReport } from '../../kernel/report.ts';
import type { AgentSession } from '../../kernel/state.ts';
import type { AgentProcess } from './agent-process.ts';
import type { AcpSettings, AgentSpec } from './agent-spec.ts';
import { wordsOf, type RpcResult } from './json-rpc.ts';
import { authenticate, isLoginWanted, logIn, loginNeeded, type LoginParts } from './log-in.ts';
import { offeredServers, type OfferedServers } from './offered-servers.ts';
import type { Takes } from './prompt-content.ts';
import { withSettings } from './session-settings.ts';
import * as wire from './wire-schema.ts';

export interface ReadyAgent {
  readonly session: string;
  readonly takes: Takes;
  /** True if a later process can resume the session. */
  readonly canReturn: boolean;
  /** True if the agent knows the session's earlier conversation. */
  readonly knowsPast: boolean;
  readonly reports: readonly AgentReport[];
}

type AgentOpening =
  | { readonly type: 'ready'; readonly agent: ReadyAgent }
  | { readonly type: 'failed'; readonly code: 'agent-unavailable' | 'agent-timeout'; readonly message: string };

interface Parts {
  readonly process: AgentProcess;
  readonly spec: AgentSpec;
  readonly settings: AcpSettings;
  readonly cwd: string;
  readonly before: AgentSession | undefined;
  /** The agent's own settings that people chose in this session. */
  readonly chosen: readonly AgentSetting[];
  /** Puts a question about the login to a person. */
  readonly ask: LoginParts['ask'];
  /** Updates until the session is open replay recorded history. */
  readonly replaying: (isReplaying: boolean) => void;
}

type OpeningParts = Parts & Pick<OfferedServers, 'servers'>;

type Opened =
  | {
      readonly type: 'opened';
      readonly id: string;
      readonly state: wire.SessionState;
      readonly how: How;
      readonly lost?: string;
    }
  | Extract<AgentOpening, { type: 'failed' }>;
type How = Extract<AgentReport, { type: 'session' }>['how'];

export async function openSession(parts: Parts): Promise<AgentOpening> {
  const { process, spec, settings } = parts;
  const greeted = await process.peer.request('initialize', greetingFor(spec), {
    timeoutMs: settings.initializeMs,
  });
  const met = wire.initializeResult.safeParse(greeted.type === 'result' ? greeted.result : undefined);
  if (!met.success) return failure(parts, 'greeting it', greeted);
  if (met.data.protocolVersion !== 1) {
    const message = `Agent ${spec.name} speaks version ${met.data.protocolVersion} of the protocol; Rondo speaks version 1.`;
    return { type: 'failed', code: 'agent-unavailable', message };
  }
  const { agentCapabilities } = met.data;
  const offered = offeredServers(spec.mcpServers ?? {}, spec.name, {
    http: agentCapabilities?.mcpCapabilities?.http === true,
    sse: agentCapabilities?.mcpCapabilities?.sse === true,
  });
  const opened = await open({ ...parts, servers: offered.servers }, met.data);
  if (opened.type === 'failed') return opened;
  const asked = {
    name: spec.name,
    session: opened.id,
    request: (method: string, params: object) =>
      process.peer.request(method, params, { timeoutMs: settings.openMs }),
  };
  const isNew = opened.how === 'started' || opened.how === 'replaced';
  const configured = await withSettings(asked, opened.state, wantedOf(parts), { isSure: isNew });
  const lostMode = configured.notTaken.find((setting) => setting.type === 'mode' && setting.mode === spec.mode);
  if (lostMode !== undefined) {
    const message = `Agent ${spec.name} did not take its configured mode ${spec.mode}, so it isn't prompted. Correct its mode in the configuration.`;
    return { type: 'failed', code: 'agent-unavailable', message };
  }
  return {
    type: 'ready',
    agent: {
      session: opened.id,
      takes: {
        image: agentCapabilities?.promptCapabilities?.image === true,
        audio: agentCapabilities?.promptCapabilities?.audio === true,
        embedded: agentCapabilities?.promptCapabilities?.embeddedContext === true,
      },
      canReturn: canResume(met.data) || canLoad(met.data),
      knowsPast: opened.how === 'resumed' || opened.how === 'loaded',
      reports: [
        {
          type: 'session',
          agent: spec.name,
          id: opened.id,
          how: opened.how,
          ...optional({ lost: opened.lost }),
        },
        ...configured.reports,
        ...offered.withheld.map((text) => ({ type: 'notice', severity: 'warning', text }) as const),
      ],
    },
  };
}

function greetingFor({ without = [] }: AgentSpec): unknown {
  const files = !without.includes('fs');
  return {
    protocolVersion: 1,
    clientInfo: { name: 'rondo', title: 'Rondo', version: '1' },
    clientCapabilities: {
      fs: { readTextFile: files, writeTextFile: files },
      terminal: !without.includes('terminal'),
      auth: { terminal: true },
      ...(!without.includes('forms') && { elicitation: { form: {}, url: {} } }),
      session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    },
  };
}

async function open(parts: OpeningParts, met: wire.AgentCapabilities): Promise<Opened> {
  const { before, spec } = parts;
  if (before === undefined) return begin(parts, met, 'started');
  const tried: string[] = [];
  if (canResume(met)) {
    const resumed = await takeUp(parts, 'session/resume', before.id, 'resumed');
    if (resumed.type === 'opened') return resumed;
    tried.push(`session/resume: ${resumed.message}`);
  }
  if (canLoad(met) && parts.process.isAlive) {
    const loaded = await takeUp(parts, 'session/load', before.id, 'loaded');
    if (loaded.type === 'opened') return loaded;
    tried.push(`session/load: ${loaded.message}`);
  }
  const why =
    tried.length === 0
      ? `${spec.name} can't resume a session of an earlier process`
      : `${spec.name} could not take up its session ${before.id} (${tried.join('; ')})`;
  const lost =
    `${why}, so it was given a new one and the conversation as text. ` +
    'What it had read and thought, and commands it had left running, are lost.';
  const begun = await begin(parts, met, 'replaced');
  return begun.type === 'opened' ? { ...begun, lost } : begun;
}

async function begin(parts: OpeningParts, met: wire.AgentCapabilities, how: How): Promise<Opened> {
  const { process, cwd, settings, spec, servers } = parts;
  const ask = () =>
    process.peer.request('session/new', { cwd, mcpServers: servers }, { timeoutMs: settings.openMs });
  const methods = met.authMethods ?? [];
  let answer = await ask();
  if (isLoginWanted(answer) && spec.authMethod !== undefined) {
    // If a configured method fails, a person may choose another one.
    const problem = await authenticate(parts, spec.authMethod);
    if (problem === undefined) answer = await ask();
  }
  for (let tries = 0; isLoginWanted(answer) && tries < MOST_LOGINS; tries += 1) {
    const problem = await logIn({ ...parts, methods });
    if (problem !== undefined) return { type: 'failed', code: 'agent-unavailable', message: problem };
    answer = await ask();
  }
  if (isLoginWanted(answer))
    return { type: 'failed', code: 'agent-unavailable', message: loginNeeded(spec, methods) };
  const made = wire.newSessionResult.safeParse(answer.type === 'result' ? answer.result : undefined);
  if (!made.success) return failure(parts, 'opening a session with it', answer);
  return { type: 'opened', id: made.data.sessionId, state: made.data, how };
}

async function takeUp(
  parts: OpeningParts,
  method: 'session/resume' | 'session/load',
  id: string,
  how: How,
): Promise<Opened> {
  const { process, cwd, settings, servers } = parts;
  parts.replaying(true);
  try {
    const params = { sessionId: id, cwd, mcpServers: servers };
    const answer = await process.peer.request(method, params, { timeoutMs: settings.openMs });
    const taken = wire.sessionResult.safeParse(answer.type === 'result' ? answer.result : false);
    if (!taken.success) return { type: 'failed', code: 'agent-unavailable', message: wordsOf(answer) };
    return { type: 'opened', id, state: taken.data, how };
  } finally {
    parts.replaying(false);
  }
}

/**
 * Settings that people chose override the agent's definition. Both are set again on resume: agents forget their
 * mode, and one that should only plan would then act.
 */
function wantedOf({ spec, chosen }: Parts): readonly AgentSetting[] {
  const { mode, options = {} } = spec;
  const wanted: readonly AgentSetting[] = [
    ...(mode === undefined ? [] : [{ type: 'mode', mode } as const]),
    ...Object.entries(options).map(([option, value]) => ({ type: 'option', option, value }) as const),
    ...chosen,
  ];
  return [...new Map(wanted.map((setting) => [setting.type === 'mode' ? '' : setting.option, setting])).values()];
}

function canResume({ agentCapabilities }: wire.AgentCapabilities): boolean {
  const resume = agentCapabilities?.sessionCapabilities?.resume;
  return resume !== undefined && resume !== null && resume !== false;
}

function canLoad({ agentCapabilities }: wire.AgentCapabilities): boolean {
  return agentCapabilities?.loadSession === true;
}

const MOST_LOGINS = 3;

async function failure(
  parts: Parts,
  doing: string,
  answer: RpcResult,
): Promise<Extract<AgentOpening, { type: 'failed' }>> {
  const { process, spec } = parts;
  const how = answer.type === 'closed' ? await process.ended : wordsOf(answer);
  const words = process.lastWords();
  const wrote = words === '' ? '' : ` It wrote: ${words.slice(-500)}`;
  const code = answer.type === 'timed-out' ? 'agent-timeout' : 'agent-unavailable';
  return { type: 'failed', code, message: `Starting agent ${spec.name}, ${doing}: ${how}.${wrote}` };
}
