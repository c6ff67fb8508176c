/** Exports a session: a bundle to import, Markdown for people, JSON for scripts. */
import { bundleLines } from '../journal/bundle/write-bundle.ts';
import type { Store } from '../ports/store.ts';
import type { Body } from '../kernel/content.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { noSession } from '../session/read/resolve-session-id.ts';
import { loadSession } from '../session/read/load-session.ts';
import { auditOf } from '../views/audit.ts';
import { itemsBetween } from '../views/persistent-list.ts';
import { statusOf } from '../views/status.ts';
import { lastPage } from '../views/transcript-page.ts';
import { transcriptOf } from '../views/transcript.ts';
import { usageReportOf } from '../views/usage-report.ts';
import type { ExportFormat } from '../ports/session-client.ts';
import { planBundle, type ChildrenWanted } from './bundle-plan.ts';
import { sessionDocument } from './session-document.ts';

export const exportFormats: readonly ExportFormat[] = ['bundle', 'markdown', 'json'];

interface ExportOptions {
  readonly format: ExportFormat;
  readonly children: ChildrenWanted;
  readonly at: number;
  /** Redacts secrets. Without it, everything is exported as it is. */
  readonly redact?: (text: string) => string;
}

export interface Export {
  readonly session: SessionId;
  readonly pieces: AsyncIterable<string>;
  /** Children that the export leaves out. */
  readonly leftOut: readonly SessionId[];
}

export async function exportSession(
  store: Pick<Store, 'journal' | 'blobs' | 'upkeep'>,
  session: SessionId,
  options: ExportOptions,
): Promise<Export> {
  const plan = await planBundle(store, session, options);
  const { redact } = options;
  switch (options.format) {
    case 'bundle':
      return { session, pieces: bundleLines(store, plan), leftOut: plan.leftOut };
    case 'markdown':
    case 'json': {
      const pieces = options.format === 'json' ? jsonOf(store, session) : documentOf(store, session);
      const leftOut = [
        ...plan.sessions.filter(({ role }) => role === 'child').map((one) => one.session),
        ...plan.leftOut,
      ];
      return { session, pieces: redact === undefined ? pieces : redacted(pieces, redact), leftOut };
    }
  }
}

async function* redacted(pieces: AsyncIterable<string>, redact: (text: string) => string): AsyncGenerator<string> {
  for await (const piece of pieces) yield redact(piece);
}

async function* documentOf(store: Pick<Store, 'journal' | 'blobs'>, session: SessionId): AsyncGenerator<string> {
  const { state, events } = await wholeSession(store, session);
  yield* sessionDocument(state, events, readerOf(store));
}

async function* jsonOf(store: Pick<Store, 'journal' | 'blobs'>, session: SessionId): AsyncGenerator<string> {
  const { state, events } = await wholeSession(store, session);
  const audit = auditOf(session, events);
  const head = {
    session,
    status: statusOf(state),
    usage: usageReportOf(session, events),
    audit: itemsBetween(audit.entries, 0, audit.entries.length),
    transcript: lastPage(transcriptOf(session, events), Math.max(1, events.length)),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
  for (const [index, { event, ...place }] of events.entries()) {
    yield `${index === 0 ? '' : ',\n'}${JSON.stringify({ ...place, ...event })}`;
  }
  yield ']}\n';
}

async function wholeSession({ journal }: Pick<Store, 'journal'>, session: SessionId) {
  const loaded = await loadSession(journal, session);
  if (loaded === undefined) throw noSession(session);
  const { events, damage }: { events: readonly Recorded[]; damage?: { seq: number } } = await journal.read(
    session,
    { after: 0 },
  );
  if (damage !== undefined) {
    throw new Fault(
      'damaged',
      `Can't export session ${session}: it is damaged at event ${damage.seq}; run \`rondo doctor --repair\`.`,
    );
  }
  return { state: loaded.state, events };
}

function readerOf({ blobs }: Pick<Store, 'blobs'>): (body: Body) => Promise<string> {
  return async (body) => (typeof body === 'string' ? body : ((await blobs.get(body.blob)) ?? body.preview));
}
