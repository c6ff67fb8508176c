// docs/coming-from.md: every word of the five vocabularies has a row, every import exists, every link resolves.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/coming-from.md'), 'utf8');
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string>>;
};
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| your word'))
  .map((line) => line.slice(2, -2).split(' | '));

/** The words of each tradition, in the order of the page. */
const words =
  `Session::run, CognitiveEngine.step(state, input), Transition, next_state, AgentRuntime.interpret(decision),
SessionInput, Chat, Task { command, args }, Worker, Approval, Interrupt, WorkerEvent { Spawned, Completed, Failed, Stalled },
InputEvent, translate_input, ChatInputHandler, TaskInputHandler, WorkerInputHandler, AgentBuilder.with_auto_approve(),
build_with_llm_engine(), testing_agent(),
Session::new(model_providers), build_worker(name), run_agent_loop(worker, input, ui), run_demo_loop,
WorkerToHostInterface, WorkerTask, WorkerJob, wait, cancel_all_jobs, CancellationToken,
Manager, Create(role, connection), BeginSpawn, AttachAgent(worktree, client), RecordHeartbeat, IncrementMessageCount,
MarkTerminating(reason), CompleteCleanup, Get, GetByRole, List(filter), Count, Store, MemoryStore,
StateMachine.NextState(current, event), TransitionError, Cleaner, NoOpCleaner, IDGenerator, Clock, Logger,
CREATED, SPAWNING, ACTIVE, TERMINATING, CLEANED,
Session, getIo, getContext, shouldExit, setExit, run, AgentSession, HeadlessSession, MultiAgentSession, IOManager,
setColorsConfig, setSecurityFilter, GlobalContext, Command, CommandProcessor, MessageProcessor, InteractionMode,
StreamingChat, BatchProcessing, REPL, ToolOnly, Supervised, Agent, SessionStore { save, load, list },
DatabaseSessionStore, ContextManager.summarizeHistory(maxMessages),
Executor.Process(text), Transducer, user_intent, ConfigFactory, AgentConfig, ConfigAtom, VirtualStore,
Spawner.SpawnForIntent, SubAgent { Ephemeral, Persistent, System }, IDLE, RUNNING, COMPLETED, FAILED,
/fix, /implement, /refactor, /test, /cover, /verify, /review, /audit, /research, /learn`
    .split(/,\s+(?![^({]*[)}])/)
    .map((word) => word.trim());

/** Words of the vocabularies that aren't names. */
const things = [
  'adding a new input type',
  'closing the channel to end the run',
  'its states',
  'worker cleanup, reuse',
  'resource limits',
  'job queuing',
  'metrics',
  'graceful shutdown',
  'tools',
  'configuration',
  'persistence',
  'scheduling',
  'real cleanup',
  'ACP and process hooks',
  'SQLite store',
  'PostgreSQL store',
  'reconnection',
  'metrics and observability hooks',
  'a session id chosen by the caller',
  'observe',
  'orient',
  'compile',
  'model, execute, respond',
  'intent routing in Mangle',
  'JIT compiler',
  'kernel',
  'injected parts',
];

test('every word of the five vocabularies has a row of four cells', () => {
  const heads = rows.map(([word = '']) => word);
  const named = new Set(heads.flatMap((head) => [...head.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)));
  expect(words.filter((word) => !named.has(word))).toEqual([]);
  expect(things.filter((thing) => !heads.includes(thing))).toEqual([]);
  expect(rows.filter((cells) => cells.length !== 4)).toEqual([]);
});

test('every import of the page is exported by its entry point', () => {
  const missing = rows.flatMap(([word, , given = '']) => {
    if (given === '–') return [];
    const [, name = '', entry = ''] = /^`(\w+)` from `rondo(\/[\w/]+)?`$/.exec(given) ?? [];
    const file = exports[entry === '' ? '.' : `.${entry}`];
    const source = file === undefined ? '' : readFileSync(path.join(root, file), 'utf8');
    return isExported(name, source) ? [] : [`${word}: ${given}`];
  });
  expect(missing).toEqual([]);
});

test('every link of the page leads to a file', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(path.join(root, 'docs', link)))).toEqual([]);
});

/** In a list between braces after `export`, or declared. */
function isExported(name: string, source: string): boolean {
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) =>
      one
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    ),
  );
  return (
    lists.includes(name) ||
    new RegExp(`export (?:async )?(?:function|interface|type|const) ${name}\\b`).test(source)
  );
}
