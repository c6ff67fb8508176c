import { existsSync } from 'node:fs';

import type { SessionId } from '../../kernel/ids.ts';
import type { CopiedRow, CopySide } from '../../journal/copy/copied-tables.ts';
import { Fault } from '../../kernel/fault.ts';
import { storedTransitions } from '../../upkeep/journal-transitions.ts';
import { replay } from '../../upkeep/replay.ts';
import type { KeyedRecord } from '../../ports/upkeep.ts';
import { counted } from '../../wording/counted.ts';
import type { CliCommand } from '../command.ts';
import { configOf } from '../folder-config.ts';
import { storeAddressOf } from '../open-store.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';

const options = {
  abandon: { type: 'boolean', help: 'discard an interrupted copy and reopen FROM' },
  ...jsonOption,
  ...commonOptions,
} as const;

export const storeCommand: CliCommand = {
  usage: ['store copy FROM TO [--abandon]'],
  about: `Copies a whole store to another engine. FROM and TO are sqlite:PATH, postgres://… or nats://…, and TO must be empty.
Stop every process that uses them first. Rondo compares every row, replays every session and then locks FROM. Run the
same command again to resume an interrupted copy.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 3 });
    const [verb, from, to] = words;
    if (verb !== 'copy' || from === undefined || to === undefined) {
      throw usageError(
        'name both stores, for example: rondo store copy sqlite:./rondo.db postgres://host/database',
      );
    }
    await using source = await sideAt(from, 'from');
    await using target = await sideAt(to, 'to');
    if (source.name === target.name) throw usageError('FROM and TO are the same store');
    const { abandonCopy, copyStore } = await import('../../journal/copy/copy-store.ts');
    if (values.abandon === true) {
      await abandonCopy(source, target);
      console.log(`${source.name} can be opened again; ${target.name} is incomplete`);
      return 0;
    }
    const counts = await copyStore(source, target, replayAll);
    const copied = { from: source.name, to: target.name, ...counts };
    const { sessions, records, blobs } = counts;
    const summary = `${counted(sessions, 'session')} with ${counted(records, 'record')} and ${counted(blobs, 'blob')} copied to ${target.name} and compared`;
    if (values.json === true) printJson({ type: 'copied', ...copied });
    else console.log(summary);
    return 0;
  },
};

async function sideAt(given: string, role: 'from' | 'to'): Promise<CopySide> {
  const address = storeAddressOf(given, await configOf({ cwd: process.cwd() }));
  switch (address.type) {
    case 'memory':
      throw usageError("a store in memory can't be copied");
    case 'sqlite':
      // Opening creates a missing file: a mistyped name would be copied as an empty store.
      if (role === 'from' && !existsSync(address.path))
        throw new Fault('not-found', `There is no store at ${address.path}. Nothing was copied.`);
      return (await import('../../journal/copy/sqlite-side.ts')).openSqliteSide(address.path);
    case 'nats':
      return (await import('../../journal/copy/nats-side.ts')).openNatsSide(address.url);
    case 'postgres':
      return (await import('../../journal/copy/postgres-side.ts')).openPostgresSide(address.url);
  }
}

/** Folds every session of the copy. One that was damaged before stays so, and is skipped. */
async function replayAll(target: CopySide): Promise<void> {
  let last: CopiedRow | undefined;
  for (;;) {
    const [row] = await target.page('sessions', last, 1);
    if (row === undefined) return;
    last = row;
    if (row['damage_seq'] !== null) continue;
    const session = String(row['id']) as SessionId;
    for await (const { broken, last: seq } of replay(storedTransitions(recordsOf(target), session), { session })) {
      if (broken.length === 0) continue;
      throw new Fault(
        'damaged',
        `Session ${session} doesn't replay from the copy: its state at event ${seq} breaks rule ${broken[0]}.`,
      );
    }
  }
}

function recordsOf(side: CopySide): Parameters<typeof storedTransitions>[0] {
  const records = async (
    session: SessionId,
    { after, limit }: { readonly after: number; readonly limit: number },
  ) => {
    const page = await side.page('records', { session, first: after }, limit);
    return page.filter((row) => row['session'] === session) as unknown as readonly KeyedRecord[];
  };
  return { upkeep: { records } as never };
}
