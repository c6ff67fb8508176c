/** An agent process in a worktree, its life managed, its words relayed. Run it: `node examples/relay/main.ts`. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { createRondo, type Session } from 'rondo';
import { createClient } from 'rondo/client';
import {
  createCleaner,
  createDurableHostedStore,
  createHostedAgents,
  createHostedSessions,
  createSystemClock,
  createSystemIds,
  createWorktrees,
  isDead,
  isTransitionError,
  nextLifecycle,
  openStore,
  ownIdentity,
  startServer,
} from 'rondo/hosting';

const print = (line: string) => process.stdout.write(`${line}\n`);
const quiet = { log: () => undefined };
const clock = createSystemClock();
const git = (cwd: string, ...args: readonly string[]) => promisify(execFile)('git', args, { cwd });

// A repository with one commit, and worktrees of it beside it.
const folder = await mkdtemp(path.join(tmpdir(), 'rondo-relay-'));
await git(folder, 'init', '-q', 'project');
const project = path.join(folder, 'project');
const author = ['-c', 'user.name=Relay', '-c', 'user.email=relay@example.org'];
await git(project, ...author, 'commit', '-q', '--allow-empty', '-m', 'Begin');
const self = ownIdentity();
const worktrees = createWorktrees({
  holders: { self, isDead: (other) => isDead(other, self) },
  settings: () => ({ folder: path.join(folder, 'trees'), branchPrefix: 'rondo/', copy: [], setUp: [] }),
});

// Rondo hosts the agent: any command that speaks the Agent Client Protocol will do.
const agent = path.resolve(import.meta.dirname, '../../test/fixtures/acp-agent/main.ts');
const store = await openStore(`sqlite:${path.join(folder, 'relay.db')}`);
const rondo = await createRondo({
  store,
  agents: { relayed: { command: { command: process.execPath, args: [agent] } } },
  worktrees,
});
const token = 'rondo_relay-example';
const server = await startServer({
  backend: rondo,
  tokens: { file: { read: async () => undefined, update: async () => undefined }, owner: token },
  cwd: project,
  host: '127.0.0.1',
  port: 0,
  clock,
  logger: quiet,
  version: '0',
});

// The life of the session: created, spawning, active, terminating, cleaned.
const cleaner = createCleaner<Session>({
  clock,
  onProblem: (message) => print(message),
  steps: {
    stopIntake: () => undefined,
    agentsOf: (_session, attached) => (attached === undefined ? [] : [attached]),
    endAgent: async (session) => void (await session.terminate('the relay is over')),
    killAgent: async (session) => session.close(),
    closePipes: () => undefined,
    closeSockets: () => undefined,
    async releaseWorktree() {
      await worktrees.leave((await session.status()).cwd, session.id);
      print('the worktree is free');
    },
    closeStore: () => undefined,
  },
});
const hosted = await createHostedSessions<Session>({
  store: createDurableHostedStore(store),
  ids: createSystemIds(() => clock.now()),
  clock,
  cleaner,
  logger: {
    log: (_level, _message, fields) => print(`lifecycle: ${String(fields?.['from'])} → ${String(fields?.['to'])}`),
  },
});
const agents = createHostedAgents<Session>(hosted, {
  async spawn() {
    const created = await rondo.sessions.create({ agent: 'relayed', cwd: project, worktree: 'relay' });
    await created.persist();
    return created;
  },
  end: async (created) => void (await created.terminate()),
});
const started = await agents.start({ agent: 'relayed', role: 'writer' });
if (started.type !== 'done') throw new Error(`The agent was not started: ${JSON.stringify(started)}`);
const { id } = started.session;
const attached = hosted.agentOf(id);
if (attached === undefined) throw new Error('No agent is attached.');
const session = attached;

// A client over a WebSocket. Its connection is cut in mid-turn; it comes back and misses nothing.
const sockets: WebSocket[] = [];
class CutSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url);
    sockets.push(this);
  }
}
const client = createClient({ url: server.url, token, firstRetryMs: 20, WebSocket: CutSocket });
const seen: number[] = [];
const over = Promise.withResolvers<undefined>();
client.follow(
  session.id,
  {
    update(update) {
      if (update.type !== 'event') return;
      seen.push(update.seq);
      void hosted.recordHeartbeat(id);
      const { event } = update;
      if (event.type === 'agent-reported' && event.report.type === 'message') {
        void hosted.incrementMessageCount(id);
        if (typeof event.report.text === 'string') print(`agent: ${event.report.text}`);
        sockets[0]?.close();
      }
      if (event.type === 'question-opened') {
        print(`asked: ${event.about.type}`);
        void answerOpenQuestion();
      }
      if (event.type === 'turn-ended') over.resolve(undefined);
    },
  },
  { after: 0 },
);
await client.send(session.id, {
  type: 'chat',
  text: 'say First words.\ntool t read Look\nwait 300\nedit note.txt from the relay\nsay  Last words.',
});
await over.promise;

const { cwd } = await session.status();
print(sockets.length > 1 ? 'the connection was cut and came back' : 'the connection held');
print(`every event once: ${seen.every((seq, index) => seq === index + 1)}`);
print(
  `in the worktree: ${path.basename(cwd)}/note.txt has "${await readFile(path.join(cwd, 'note.txt'), 'utf8')}"`,
);
print(`by role: ${hosted.getByRole('writer')?.state}, messages: ${hosted.get(id)?.messages}`);
print(`writers: ${hosted.list({ role: 'writer', state: 'active' }).length}`);
// The state machine is a pure function; a step that isn't there is a value.
const impossible = nextLifecycle('active', 'clean');
if (isTransitionError(impossible)) print(`active can't be cleaned: ${impossible.reason}`);

await agents.terminate(id, 'done');
print(`cleaned: ${hosted.count('cleaned')}, active: ${hosted.count('active')}`);
client.close();
await server.close();
await rondo.close();
await rm(folder, { recursive: true, force: true });

async function answerOpenQuestion(): Promise<void> {
  const [open] = (await session.status()).questions;
  if (open !== undefined) await client.answer(open.id, { choice: 'allow-once' });
}
