import type { RewindOptions, RewindResult } from '../../session/branch/rewind-session.ts';
import type { CliCommand } from '../command.ts';
import { numberFrom } from '../number-option.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { createQuietRondo } from '../quiet-rondo.ts';
import { terminalActor } from '../terminal-actor.ts';
import { usageError } from '../usage-error.ts';
import { pointFrom, pointOptions } from './point-option.ts';
import { livingOwner } from './reach-session.ts';
import { rewoundLines } from '../../commands/lines/rewound-lines.ts';
import { namedSession, type StoredSessions } from './stored-sessions.ts';

const options = {
  ...pointOptions,
  conversation: { type: 'boolean', help: 'rewind only the conversation' },
  files: { type: 'boolean', help: 'restore only the files' },
  undo: { type: 'boolean', help: 'undo the newest rewind' },
  ...storedOptions,
} as const;

export const rewindCommand: CliCommand = {
  usage: ['rewind SESSION (--at EVENT | --turn N | --undo) [--conversation | --files]'],
  about: `Rewinds a session to an earlier point: its conversation and the files of its folder. The journal keeps everything,
and --undo reverses the rewind. Files return to their state just before the first change after that point. Rondo
saves their current state first. SESSION is an id, a prefix, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (values.conversation === true && values.files === true) {
      throw usageError("--conversation and --files can't be combined; without them both are rewound");
    }
    await using stored = await namedSession(given, values);
    const { session } = stored;
    const point = await pointFrom(values, stored.store.journal, session);
    if ((point === undefined) !== (values.undo === true))
      throw usageError('where to? pass one of --at EVENT, --turn N and --undo');
    const axes = values.conversation === true ? 'conversation' : values.files === true ? 'files' : 'both';
    const { result, foreign } = await rewind(stored, session, { to: point ?? 'undo', axes, by: terminalActor });
    if (values.json === true) printJson({ session, ...result });
    else if (result.type === 'refused') console.error(`rondo rewind: ${result.refusal.message}`);
    else {
      const turn = numberFrom('turn', values.turn);
      console.log(rewoundLines(result, { turn, foreign, undo: `rondo rewind ${session} --undo` }).join('\n'));
    }
    return result.type === 'refused' ? 1 : 0;
  },
};

/** Opening a session that its owner left mid-turn would resume that turn. */
async function rewind(
  { store, load }: StoredSessions,
  session: Parameters<StoredSessions['load']>[0],
  wanted: RewindOptions,
): Promise<{ readonly result: RewindResult; readonly foreign?: readonly string[] }> {
  const { state } = await load(session);
  const isInTurn = state.phase.type === 'turn' || state.phase.type === 'cancelling';
  if (isInTurn && (await livingOwner(store, session)) === undefined) {
    const message = `session ${session} stopped in the middle of a turn; resume it or cancel it first (rondo cancel ${session})`;
    return { result: { type: 'refused', refusal: { code: 'conflict', message } } };
  }
  await using rondo = await createQuietRondo(store);
  const opened = await rondo.sessions.open(session);
  const { to, axes } = wanted;
  const before = to === 'undo' || axes === 'conversation' ? undefined : await opened.changes({ since: to });
  const changes = before?.type === 'diff' ? before.changes : [];
  const foreign = changes.flatMap((change) => (change.isForeign === true ? [change.path] : []));
  return { result: await opened.rewind(wanted), foreign };
}
