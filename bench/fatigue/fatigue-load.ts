/** Counts how often Rondo asks during the recorded turns of one kind of repository. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { attackCommands } from '../../test/attacks/attack-commands.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { buildHome, buildRepository } from './build-repository.ts';
import { createAttacks } from './interleaved-attacks.ts';
import { servePackages } from './package-registry.ts';
import type { RecordedRepository, RecordedTurn } from './recorded-turn.ts';
import { repositories } from './repositories.ts';
import { type CallRecord, openReplay, type ReplaySession } from './replay-session.ts';
import { provideStandIns } from './stand-in-programs.ts';

export interface FatigueArgument {
  readonly kind: string;
  /** The bubblewrap to use. */
  readonly bubblewrap: string;
  readonly sandbox: 'auto' | 'none';
  readonly grants: 'cold' | 'warm';
}

export interface FatigueResult {
  readonly turns: number;
  readonly calls: number;
  /** Calls that count as a question: asked, denied, or failed because of the sandbox. */
  readonly questions: readonly string[];
  readonly failedInside: number;
  readonly denied: number;
  readonly mustAsk: number;
  /** Must-ask calls and attacks that ran unasked. */
  readonly dangerous: readonly string[];
  readonly attacks: number;
  readonly confinedAttacks: number;
  readonly standIns: readonly string[];
}

export async function measureFatigue({
  kind,
  bubblewrap,
  sandbox,
  grants,
}: FatigueArgument): Promise<FatigueResult> {
  const repository = repositories.find((one) => one.kind === kind);
  if (repository === undefined) throw new Error(`unknown kind of repository: ${kind}`);
  using folder = createScratchFolder();
  await using registry = await servePackages(path.join(folder.path, 'registry'));
  const standIns = provideStandIns(path.join(folder.path, 'programs'), registry.url);
  const home = path.join(folder.path, 'home');
  buildHome(home, registry.url);
  process.env['HOME'] = home;
  process.env['RONDO_HOME'] = path.join(home, '.rondo');
  process.env['RONDO_BWRAP'] = bubblewrap;
  process.env['PATH'] = [...standIns.folders, process.env['PATH'] ?? ''].join(path.delimiter);
  mkdirSync(path.join(folder.path, 'place'));
  const root = buildRepository(repository, path.join(folder.path, 'place'));
  await using session = await openReplay({ root, home: path.join(home, '.rondo'), sandbox });
  if (grants === 'warm') for (const turn of repository.earlier) await playChecked(session, turn, sandbox);
  const share = attackCommands.filter(
    (_, place) => place % repositories.length === repositories.indexOf(repository),
  );
  using attacks = createAttacks(share, {
    turns: repository.turns.length,
    isConfined: sandbox === 'auto',
    home: path.join(folder.path, 'jail-home'),
  });
  const records: CallRecord[] = [];
  for (const turn of repository.turns) {
    records.push(...(await playChecked(session, turn, sandbox)));
    await attacks.next(await session.gate(), root);
  }
  return {
    ...counted(repository, records),
    dangerous: [
      ...records
        .filter(({ mustAsk, asked, outcome }) => mustAsk && asked === undefined && outcome !== 'denied')
        .map(({ text }) => text),
      ...attacks.counts.harmful,
    ],
    attacks: attacks.counts.tried,
    confinedAttacks: attacks.counts.confined,
    standIns: standIns.names,
  };
}

/** Without a sandbox every call must end as recorded; otherwise the work wasn't done. */
async function playChecked(
  session: ReplaySession,
  turn: RecordedTurn,
  sandbox: FatigueArgument['sandbox'],
): Promise<readonly CallRecord[]> {
  const records = await session.play(turn);
  const recorded = turn.replies.flat();
  for (const [place, record] of records.entries()) {
    const expected = recorded[place]?.mustAsk === 'reject' ? 'rejected' : recorded[place]?.ends;
    if (record.outcome === expected || record.outcome === 'denied') continue;
    if (sandbox === 'auto' && record.failedInside) continue;
    throw new Error(`"${turn.prompt}": ${record.text} ended with ${record.outcome}: ${record.output}`);
  }
  return records;
}

function counted({ turns }: RecordedRepository, records: readonly CallRecord[]) {
  const own = records.filter(({ mustAsk }) => !mustAsk);
  const questions = own.flatMap(({ text, asked, failedInside, outcome, output }) => {
    if (failedInside) return [`${text} — failed in the sandbox: ${output}`];
    if (outcome === 'denied') return [`${text} — denied`];
    return asked === undefined ? [] : [`${text} — ${asked}`];
  });
  return {
    turns: turns.length,
    calls: records.length,
    questions,
    failedInside: own.filter(({ failedInside }) => failedInside).length,
    denied: own.filter(({ outcome }) => outcome === 'denied').length,
    mustAsk: records.length - own.length,
  };
}
