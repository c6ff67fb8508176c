/** Contract of every command, on a session in this process or behind a server. */
import { afterAll, describe, expect, it } from 'vitest';

import { builtInCommands } from '../../commands/built-in-commands.ts';
import type { CommandResult } from '../../commands/command-result.ts';
import { resultLines } from '../../commands/lines/result-lines.ts';
import { commandsOf, runSlashCommand } from '../../commands/run-command.ts';
import { createTestingModel } from '../../models/testing-model.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { RondoOptions } from '../../rondo.ts';
import type { Catalog } from '../../server/backend.ts';
import { testTool } from '../test-tool.ts';

/** Options of both sides: the agent does what its prompt says, and `touch` needs approval. */
export const commandsRondo: RondoOptions = {
  agents: { testing: { model: 'testing' }, other: { model: 'testing' } },
  models: { testing: createTestingModel() },
  tools: [
    testTool('look', () => 'seen'),
    testTool('touch', () => 'touched', { access: 'write', repeat: 'never' }),
  ],
};

export const commandsCatalog: Catalog = {
  agents: async () => [
    { name: 'testing', from: 'program' },
    { name: 'other', from: 'program' },
  ],
  models: async () => [{ id: 'testing' }],
  tools: async () => [{ name: 'look', description: 'The test tool look.' }],
  commands: async () => [
    { name: 'git:commit', summary: 'commit the changes', hint: '[message]', from: 'project' },
  ],
  skills: async () => [{ name: 'deploy', description: 'How to deploy.', from: 'user' }],
  files: async () => [],
  mcpServers: async () => [
    { name: 'docs', from: 'project', state: 'needs login', reached: 'https://docs.example/mcp' },
  ],
  rules: {
    list: async () => [{ id: 'r1', rule: 'shell(du *)', project: '/shop', by: 'ada', at: 0 }],
    revoke: async (id) => id === 'r1',
  },
};

type OpenCommands = () => Promise<AsyncDisposable & { readonly rondo: RondoClient }>;

/** Contract of every command on every implementation of `SessionClient`. */
export function commandsContract(name: string, open: OpenCommands): void {
  const ran = new Set<string>();

  async function scene() {
    const world = await open();
    const { rondo } = world;
    const saved = new Map<string, string>();
    const session = await rondo.create({ agent: 'testing' });
    const commands = commandsOf('screen');
    async function runIn(of: SessionClient, line: string): Promise<CommandResult> {
      const result = await tried(of, line);
      if (result === undefined) throw new Error(`${line} isn't a command.`);
      return result;
    }
    async function tried(of: SessionClient, line: string): Promise<CommandResult | undefined> {
      const decision = commands.decide(line);
      if (decision.type === 'command') ran.add(decision.name);
      return runSlashCommand(line, {
        rondo,
        session: of,
        commands,
        async save({ name: file, pieces }) {
          const parts: string[] = [];
          for await (const piece of pieces) parts.push(typeof piece === 'string' ? piece : decoder.decode(piece));
          saved.set(file, parts.join(''));
          return `saved ${file}`;
        },
      });
    }
    /** Sends a prompt and waits until its turn is over or asks. */
    async function say(text: string, of = session): Promise<void> {
      expect(await of.send({ type: 'chat', text })).toMatchObject({ type: 'accepted' });
      await until(async () => restingStates.has((await of.status()).lifecycle));
    }
    return {
      rondo,
      session,
      saved,
      say,
      runIn,
      tried: (line: string) => tried(session, line),
      run: (line: string) => runIn(session, line),
      lines: async (line: string) => resultLines(await runIn(session, line)),
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  }

  describe(`commands contract: ${name}`, () => {
    it('/help lists the commands, or one; /exit and /clear are left to the screen', async () => {
      await using at = await scene();
      expect(await at.run('/help')).toMatchObject({
        type: 'help',
        commands: [...commandsOf('screen').list(), {}],
      });
      expect(await at.lines('/help Exit')).toEqual([
        '/exit                  leave; the session stays (also /quit)',
      ]);
      expect(await at.run('/quit')).toEqual({ type: 'leave' });
      expect(await at.run('/clear')).toEqual({ type: 'clear' });
      expect(await at.run('/exot')).toEqual({
        type: 'refused',
        message: 'Unknown command /exot. Did you mean /exit? /help lists the commands.',
        isUsage: true,
      });
      expect(await at.run('/resume')).toEqual({
        type: 'refused',
        message: '/resume needs session. Usage: /resume session',
        isUsage: true,
      });
    });

    it('/history shows the last items of the conversation', async () => {
      await using at = await scene();
      await at.say('say one');
      await at.say('say two');
      expect(await at.lines('/history 3')).toEqual([
        expect.stringMatching(/:$/),
        '  say two',
        '',
        'testing:',
        '  two',
        '',
        expect.stringMatching(/^- Completed in/),
      ]);
      expect(await at.run('/history many')).toEqual({
        type: 'refused',
        message: '/history takes a number up to 1000, not "many"',
        isUsage: true,
      });
    });

    it('/agent, /agents, /model, /mode and /tools show what there is, and change the session', async () => {
      await using at = await scene();
      await at.say('say one');
      expect(await at.run('/agent')).toEqual({ type: 'done', text: 'testing' });
      expect(await at.run('/agent other')).toEqual({
        type: 'changed',
        text: 'Agent: other, from the next turn on.',
      });
      expect(await at.run('/agents')).toEqual({
        type: 'agents',
        agents: [
          { name: 'testing', from: 'program' },
          { name: 'other', from: 'program' },
        ],
        current: 'other',
      });
      expect(await at.run('/agent nobody')).toEqual({
        type: 'refused',
        message: 'unknown agent nobody; `rondo agents` lists them',
      });
      expect(await at.run('/model')).toEqual({ type: 'models', models: ['testing'], current: 'testing' });
      expect(await at.run('/model testing')).toEqual({
        type: 'changed',
        text: 'Model: testing, from the next turn on.',
      });
      expect(await at.run('/model testin')).toEqual({
        type: 'refused',
        message: expect.stringMatching(/testin.* Did you mean testing\?$/) as string,
      });
      expect(await at.run('/mode')).toMatchObject({ type: 'mode', mode: 'interactive' });
      expect(await at.run('/mode batch')).toEqual({ type: 'changed', text: 'Mode: batch.' });
      expect((await at.session.status()).mode).toBe('batch');
      expect(await at.run('/mode nothing')).toMatchObject({
        type: 'refused',
        message: expect.stringContaining('unknown mode nothing') as string,
      });
      expect(await at.run('/tools')).toMatchObject({
        type: 'tools',
        tools: [{ name: 'look', description: 'The test tool look.' }],
      });
    });

    it('[C130] /skills lists the skills of the folder', async () => {
      await using at = await scene();
      const skills = [{ name: 'deploy', description: 'How to deploy.', from: 'user' }];
      expect(await at.run('/skills')).toEqual({ type: 'skills', skills });
    });

    it('[C131] a command from a file is a prompt, and /help shows it after the others', async () => {
      await using at = await scene();
      expect(await at.tried('/git:commit now')).toBe(undefined);
      const help = await at.run('/help');
      const listed = help.type === 'help' ? help.commands : [];
      const spec = {
        name: 'git:commit',
        parameters: [{ name: 'message' }],
        summary: 'commit the changes (project)',
      };
      expect(listed.at(-1)).toEqual(spec);
      expect(await at.run('/help git:commit')).toEqual({ type: 'help', commands: [spec] });
    });

    it("/set shows an external agent's settings, and is refused where there are none", async () => {
      await using at = await scene();
      await at.say('say one');
      expect(await at.run('/set')).toEqual({
        type: 'settings',
        agent: 'testing',
        settings: undefined,
        name: undefined,
      });
      expect(await at.run('/set mode code')).toMatchObject({ type: 'refused' });
    });

    it('/sessions finds by title, /new and /resume move to another session', async () => {
      await using at = await scene();
      await at.say('say about zebras');
      const made = await at.run('/new');
      if (made.type !== 'open') throw new Error(made.type);
      expect(made).toMatchObject({ how: 'created', before: at.session.id });
      await at.say('say about lions', made.session);
      const result = await at.run('/sessions zebras');
      expect(result).toMatchObject({
        type: 'sessions',
        words: 'zebras',
        entries: [{ session: at.session.id, title: 'say about zebras' }],
      });
      const resumed = await at.runIn(made.session, `/resume ${at.session.id}`);
      expect(resumed).toMatchObject({ type: 'open', how: 'resumed', before: made.session.id });
      expect(resumed.type === 'open' && resumed.session.id).toBe(at.session.id);
      expect(await at.run('/resume ses_nothing')).toMatchObject({
        type: 'refused',
        message: expect.stringContaining('Unknown session ses_nothing') as string,
      });
    });

    it('/fork continues in a copy, from an event if one is named', async () => {
      await using at = await scene();
      await at.say('say one');
      const forked = await at.run('/fork');
      if (forked.type !== 'open') throw new Error(forked.type);
      expect((await forked.session.status()).origin).toMatchObject({ session: at.session.id });
      expect(await at.run('/fork here')).toMatchObject({
        type: 'refused',
        message: expect.stringContaining('No such point: "here".') as string,
        isUsage: true,
      });
      expect(await at.run('/fork 9999')).toMatchObject({ type: 'refused' });
    });

    it('[C119] /rewind lists the prompts and goes back to before one, /fork continues there, /undo reverts', async () => {
      await using at = await scene();
      expect(await at.run('/undo')).toEqual({ type: 'refused', message: 'Nothing to undo.' });
      await at.say('say one');
      await at.say('say two');
      expect(await at.lines('/rewind')).toEqual([
        '#1  say one  no files',
        '#2  say two  no files',
        'Go back with /rewind #N (chat and files), /rewind #N chat, /rewind #N files, or fork with /fork #N.',
      ]);
      expect(await at.run('/fork #2')).toMatchObject({ type: 'open', how: 'forked', draft: 'say two' });
      expect(await at.run('/rewind #3')).toMatchObject({ type: 'refused', isUsage: true });
      expect(await at.run('/rewind #2 sideways')).toMatchObject({ type: 'refused', isUsage: true });
      expect(await at.lines('/rewind #2 chat')).toEqual(['Rewound to before "say two".', 'Undo: /undo']);
      expect(await at.lines('/rewind')).toHaveLength(2);
      expect(await at.run('/undo')).toMatchObject({ type: 'rewound' });
      expect(await at.lines('/rewind')).toHaveLength(3);
      await at.say('say three');
      expect(await at.run('/undo')).toMatchObject({ type: 'rewound', before: 'say three' });
      expect(await at.lines('/rewind')).toHaveLength(3);
      expect(await at.session.changes()).toEqual({ type: 'diff', changes: [] });
    });

    it('/diff shows the changed files, /copy the last answer or one of its code blocks', async () => {
      await using at = await scene();
      expect(await at.run('/copy')).toEqual({ type: 'refused', message: 'No answer to copy yet.' });
      await at.say('say Like this: ```\\nnpm test\\n```');
      expect(await at.run('/copy')).toMatchObject({ type: 'copy', what: 'the last answer' });
      expect(await at.run('/copy 9')).toEqual({
        type: 'refused',
        message: 'The last answer has no code block 9.',
      });
      expect(await at.run('/copy one')).toMatchObject({ type: 'refused', isUsage: true });
      expect(await at.lines('/diff')).toEqual(['No changes in this session.']);
      expect(await at.run('/cost')).toMatchObject({ type: 'usage' });
    });

    it('/rewind goes back to an event, and /rewind undo reverts it', async () => {
      await using at = await scene();
      await at.say('say one');
      const { seq } = await at.session.status();
      await at.say('say two');
      expect(await at.run(`/rewind ${seq}`)).toEqual({
        type: 'rewound',
        session: at.session.id,
        result: { type: 'rewound', conversation: seq, files: { type: 'unchanged' } },
      });
      expect(await at.lines('/rewind undo')).toEqual([
        expect.stringMatching(/^Rewound to event \d+\.$/),
        'No files changed since.',
        'Undo: /undo',
      ]);
      expect(await at.run('/rewind nowhere')).toMatchObject({ type: 'refused', isUsage: true });
      expect(await at.run('/rewind 9999')).toMatchObject({ type: 'refused' });
    });

    it('/status, /usage and /context look at the session', async () => {
      await using at = await scene();
      await at.say('say one');
      const status = await at.run('/status');
      expect(status).toMatchObject({
        type: 'status',
        status: { session: at.session.id, lifecycle: 'idle', agent: 'testing' },
        questions: [],
        server: at.rondo.server,
      });
      expect(await at.run('/usage')).toMatchObject({
        type: 'usage',
        report: { totals: { turns: 1 }, workers: [] },
      });
      const context = await at.run('/context');
      expect(context).toEqual({ type: 'context', share: await at.session.context() });
      expect((await at.lines('/context'))[0]).toMatch(/tokens/);
    });

    it('/compact waits for the summary, and reports one that failed', async () => {
      await using at = await scene();
      await at.say('say one');
      await at.say('say two');
      expect(await at.run('/compact the answers')).toEqual({
        type: 'done',
        text: 'Earlier messages summarized. /history shows all of them.',
      });
      await at.say('say three');
      expect(await at.run('/compact fail no power')).toEqual({
        type: 'failed',
        message: "Can't summarize the conversation: no power",
      });
    });

    it('/queue shows and changes what waits, /steer joins the turn, /interrupt stops it', async () => {
      await using at = await scene();
      expect(await at.run('/interrupt')).toEqual({ type: 'done', text: 'No turn is running.' });
      await at.session.send({ type: 'chat', text: 'hang' });
      await until(async () => (await at.session.status()).turn !== undefined);
      await at.session.send({ type: 'chat', text: 'say later' });
      expect(await at.lines('/queue')).toEqual(['1 queued', '1. say later']);
      expect(await at.run('/steer look here')).toEqual({ type: 'changed', text: 'Sent to the current turn.' });
      expect(await at.run('/queue remove 1')).toEqual({ type: 'changed', text: 'Prompt removed from the queue.' });
      expect(await at.run('/queue pause')).toEqual({ type: 'changed', text: 'Queue paused.' });
      expect(await at.run('/queue resume')).toEqual({ type: 'changed', text: 'Queue resumed.' });
      expect(await at.run('/queue clear')).toEqual({ type: 'changed', text: 'Queue cleared.' });
      expect(await at.run('/queue everything')).toMatchObject({ type: 'refused', isUsage: true });
      expect(await at.run('/cancel enough')).toEqual({ type: 'changed', text: 'Stopping the turn.' });
      await until(async () => (await at.session.status()).turn === undefined);
      expect((await at.session.status()).lastEnding).toMatchObject({
        ending: { type: 'cancelled', reason: 'enough' },
      });
    });

    it('/approve, /deny, /trust and /answer answer the question that is named, or the oldest', async () => {
      await using at = await scene();
      expect(await at.run('/approve')).toEqual({ type: 'refused', message: 'No question is open.' });
      await at.say('call touch {"n":1}\ncall touch {"n":2}');
      const [first, second] = await at.session.questions();
      if (first === undefined || second === undefined) throw new Error('two questions are expected');
      expect(await at.run(`/approve ${second.id}`)).toEqual({
        type: 'answered',
        question: second,
        answer: { type: 'allow-once' },
      });
      expect((await at.session.questions()).map(({ id }) => id)).toEqual([first.id]);
      expect(await at.run('/approve q_nothing')).toEqual({
        type: 'refused',
        message: 'No open question q_nothing.',
      });
      expect(await at.run(`/deny ${first.id} not now`)).toEqual({
        type: 'answered',
        question: first,
        answer: { type: 'reject', reason: 'not now' },
      });
      await until(async () => (await at.session.status()).turn === undefined);
      await at.say('call touch {}');
      expect(await at.run('/trust')).toMatchObject({ type: 'answered', answer: { type: 'allow-session' } });
      await until(async () => (await at.session.status()).turn === undefined);
      const other = await at.rondo.create({ agent: 'testing' });
      await at.say('call touch {}', other);
      expect(await at.runIn(other, '/answer y')).toMatchObject({
        type: 'answered',
        answer: { type: 'allow-once' },
      });
    });

    it('[C128] /permissions shows rules and grants with their origin, and ends one', async () => {
      await using at = await scene();
      await at.say('call touch {}');
      await at.run('/trust');
      await until(async () => (await at.session.status()).turn === undefined);
      const granted = { verdict: 'allow', rule: 'touch', isRevocable: true };
      const always = {
        verdict: 'allow',
        rule: 'shell(du *)',
        from: 'always, by ada, in /shop',
        isRevocable: true,
      };
      const listed = await at.run('/permissions');
      expect(listed).toMatchObject({
        type: 'permissions',
        entries: [{ ...granted, from: expect.stringContaining('this session') as string }, always],
      });
      expect((await at.lines('/rules')).at(-1)).toContain('/permissions revoke 2');
      expect(await at.run('/permissions revoke 1')).toEqual({ type: 'changed', text: 'Revoked touch.' });
      expect(await at.run('/permissions')).toEqual({ type: 'permissions', entries: [always] });
      await at.say('call touch {}');
      expect(await at.session.questions()).toHaveLength(1);
      expect(await at.run('/permissions revoke 1')).toMatchObject({ type: 'done' });
      expect(await at.run('/permissions revoke 9')).toEqual({ type: 'refused', message: 'There is no rule 9.' });
      expect(await at.run('/permissions all')).toMatchObject({ type: 'refused', isUsage: true });
    });

    it('[C128] /inbox shows the requests of all sessions and answers one from anywhere', async () => {
      await using at = await scene();
      expect(await at.lines('/inbox')).toEqual(['Nothing needs you.']);
      const other = await at.rondo.create({ agent: 'testing' });
      await at.say('call touch {"n":1}', other);
      expect(await at.run('/inbox')).toMatchObject({
        type: 'inbox',
        requests: [{ session: other.id, title: 'call touch {"n":1}' }],
      });
      expect((await at.lines('/inbox'))[0]).toMatch(/^1\. Calls touch {2}call touch/);
      expect((await at.lines('/inbox 1')).join('\n')).toContain('touch');
      expect(await at.run('/inbox 1 n')).toMatchObject({ type: 'answered', answer: { type: 'reject' } });
      expect(await other.questions()).toEqual([]);
      expect(await at.run('/inbox 1')).toMatchObject({ type: 'refused', isUsage: true });
    });

    it('/mcp lists servers with how to sign in, /init asks for AGENTS.md, /share makes a link where there is a server', async () => {
      await using at = await scene();
      expect((await at.lines('/mcp')).join('\n')).toContain('needs login: rondo mcp login docs');
      await at.say('say one');
      expect(await at.run('/init')).toEqual({ type: 'changed', text: 'Sent.' });
      await until(async () => (await at.session.status()).turn === undefined);
      expect(JSON.stringify((await at.session.transcript()).items)).toContain('AGENTS.md');
      const shared = await at.run('/share 2');
      const [type, start] =
        at.rondo.server === undefined
          ? ['refused', 'A link needs a server']
          : ['done', `${at.rondo.server}/share/`];
      expect([shared.type, JSON.stringify(shared).includes(start)]).toEqual([type, true]);
      expect(await at.run('/share never')).toMatchObject({ type: 'refused', isUsage: true });
    });

    it('/workers and /jobs list the work', async () => {
      await using at = await scene();
      await at.say('say one');
      expect(await at.run('/workers')).toEqual({ type: 'workers', workers: [] });
      expect(await at.run('/jobs')).toEqual({ type: 'jobs', jobs: [] });
      expect(await at.lines('/workers')).toEqual(['No workers.']);
    });

    it('/why explains a prompt whose intent is recorded', async () => {
      await using at = await scene();
      await at.say('say one');
      expect(await at.run('/why')).toEqual({ type: 'why', reason: undefined });
      expect(await at.run('/why never')).toMatchObject({ type: 'refused', isUsage: true });
    });

    it('/export writes the session in the format of the file', async () => {
      await using at = await scene();
      await at.say('say one');
      expect(await at.run('/export talk.md')).toEqual({ type: 'exported', file: 'saved talk.md', leftOut: [] });
      expect(at.saved.get('talk.md')).toContain('say one');
      expect(await at.lines('/export')).toEqual([`saved ${at.session.id}.rondo`]);
      expect(at.saved.get(`${at.session.id}.rondo`)?.split('\n')[0]).toContain(at.session.id);
      await at.run('/export talk.json');
      expect(JSON.parse(at.saved.get('talk.json') ?? '')).toMatchObject({ status: { session: at.session.id } });
    });

    afterAll(() => {
      expect([...ran].toSorted()).toEqual(builtInCommands.map((command) => command.name).toSorted());
    });
  });
}

const restingStates: ReadonlySet<string> = new Set(['idle', 'waiting', 'closed']);
const decoder = new TextDecoder();

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}
