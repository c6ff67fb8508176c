/**
 * The sessions of this folder or of all, with what needs the user first. Enter opens one: the first selected row is
 * the session that was open before.
 *
 * 1. It opens with the rows that are already known. While it is open, rows keep their places and change in place.
 * 2. A search covers titles and messages, and shows the message that matches.
 * 3. Ctrl+X archives: the session leaves the list, and Tab comes to a list of those that left it.
 */
import { printable } from '../../views/printable.ts';
import { Key, matchesKey } from '@earendil-works/pi-tui';

import { openRequests } from '../../commands/inbox.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { previewOf } from '../../kernel/content.ts';
import type { SessionHit } from '../../ports/rondo-client.ts';
import { argumentsOf } from '../../views/call-arguments.ts';
import { replyEnd, plainProse } from '../../views/reply-end.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { oneLine, oneLineWithEnd } from '../../views/one-line.ts';
import { projectName } from '../../views/session-row.ts';
import { grouped } from '../../wording/counted.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import type { ChatBackend } from '../chat/chat-backend.ts';
import { wrapped } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import { createPicker, type Picker, type PickerHands, type PickerPlace } from './picker.ts';
import { sessionRankOf, sessionPickerRow, type SessionRank } from './session-rows.ts';

export interface SessionPickerOptions {
  readonly backend: () => ChatBackend | undefined;
  readonly words: string;
  /** The folder of the open session. */
  readonly folder: string;
  readonly current: string | undefined;
  readonly previous: string | undefined;
  /** Rows from the last time. */
  readonly known: readonly SessionHit[];
  readonly keep: (rows: readonly SessionHit[]) => void;
  readonly open: (session: string) => void;
}

/** Which sessions the picker lists. Tab switches to the next list, unless it would show the same rows. */
type Shown = 'here' | 'everywhere' | 'archived';

const shownNames: Readonly<Record<Shown, { readonly name: string; readonly short: string }>> = {
  here: { name: 'this folder', short: 'here' },
  everywhere: { name: 'all folders', short: 'all' },
  archived: { name: 'archived', short: 'archived' },
};
const refreshMs = 2000;
const mostListed = 1000;
/** A moving selection reads nothing. */
const restMs = 120;
/** Narrower screens show shorter counts. */
const wideFrom = 90;
const previewItems = 20;
const previewLines = 2;

export function createSessionPicker(options: SessionPickerOptions, place: PickerPlace): Picker {
  const { backend, folder } = options;
  let shown: Shown = 'here';
  let archived: ReadonlySet<string> = new Set();
  let total = 0;
  let here = 0;
  /** How many of the rows are archived. */
  let away = 0;
  let asked: ReadonlyMap<string, OpenQuestion> = new Map();
  const ranks = new Map<string, SessionRank>();
  const order = new Map<string, number>();
  const branches = new Map<string, string | undefined>();
  const said = new Map<string, string>();
  let resting: NodeJS.Timeout | undefined;

  const isHere = ({ cwd }: SessionHit) =>
    cwd === folder ||
    cwd.startsWith(`${folder}/`) ||
    (projectName(cwd) !== lastPart(cwd) && projectName(cwd) === projectName(folder));

  /** New rows are sorted by need and age; rows that were seen before stay where they are. */
  function placed(found: readonly SessionHit[], isSearch: boolean): readonly SessionHit[] {
    const own = found.filter(({ parent }) => parent === undefined);
    const current = own.filter(({ session }) => !archived.has(session));
    total = current.length;
    here = current.filter(isHere).length;
    away = own.length - current.length;
    if (away === 0 && shown === 'archived' && !isSearch) shown = 'here';
    for (const entry of own) if (!ranks.has(entry.session)) ranks.set(entry.session, sessionRankOf(entry));
    const rank = ({ session }: SessionHit) => ranks.get(session) ?? 3;
    const sorted = own.toSorted((a, b) => rank(a) - rank(b) || b.updatedAt - a.updatedAt);
    for (const { session } of sorted) if (!order.has(session)) order.set(session, order.size);
    const at = ({ session }: SessionHit) => order.get(session) ?? 0;
    const stable = sorted.toSorted((a, b) => rank(a) - rank(b) || at(a) - at(b));
    const everywhere = stable.filter(({ session }) => !archived.has(session));
    const local = everywhere.filter((entry) => isHere(entry) || entry.questions > 0);
    if (shown === 'archived') return stable.filter(({ session }) => archived.has(session));
    // A search that finds nothing here shows what is elsewhere.
    const widest = [...(shown === 'here' ? [local] : []), everywhere, ...(isSearch ? [stable] : [])];
    return (isSearch ? widest.find(({ length }) => length > 0) : widest[0]) ?? [];
  }

  async function load(words: string): Promise<readonly SessionHit[]> {
    const rondo = backend();
    if (rondo === undefined) return [];
    const listed =
      words.trim() === '' ? rondo.sessions({ limit: mostListed }) : rondo.searchSessions(words.trim());
    const [found, marked] = await Promise.all([listed, rondo.archived()]);
    archived = marked;
    if (words.trim() === '') options.keep(found.filter(({ session }) => !marked.has(session)));
    const rows = placed(found, words.trim() !== '');
    if (rows.some(({ questions }) => questions > 0)) readRequests(rondo);
    readBranches(rondo, rows);
    return rows;
  }
  function readRequests(rondo: ChatBackend): void {
    openRequests(rondo)
      .then((requests) => {
        asked = new Map(requests.map(({ session, question }) => [session, question]));
        place.changed();
      })
      // The rows stay without them.
      .catch(() => undefined);
  }
  function readBranches(rondo: ChatBackend, rows: readonly SessionHit[]): void {
    for (const { cwd } of rows) {
      if (branches.has(cwd)) continue;
      branches.set(cwd, undefined);
      void rondo.branch(cwd).then((branch) => {
        branches.set(cwd, branch === undefined ? undefined : printable(branch));
        place.changed();
      });
    }
  }
  async function readLast(session: string): Promise<void> {
    const { items } = (await (await backend()?.open(session))?.transcript({ limit: previewItems })) ?? {
      items: [],
    };
    const last = items.findLast(
      (item) => (item.type === 'message' || item.type === 'agent-message') && item.text !== '',
    );
    said.set(session, last !== undefined && 'text' in last ? previewOf(last.text ?? '') : '');
    place.changed();
  }
  function rest(entry: SessionHit | undefined): void {
    clearTimeout(resting);
    if (entry === undefined || said.has(entry.session)) return;
    // Without it, the row has no preview.
    resting = setTimeout(() => void readLast(entry.session).catch(() => undefined), restMs);
    resting.unref();
  }

  function rename(entry: SessionHit, { ask, reload }: PickerHands): void {
    const take = (title: string) =>
      void backend()
        ?.open(entry.session)
        .then((session) => session.send({ type: 'title', title }))
        .then(reload, place.onProblem);
    ask({ label: 'Rename', text: entry.title, take });
  }
  function archive({ session }: SessionHit, { reload }: PickerHands): void {
    backend()
      ?.mark(session, { isArchived: !archived.has(session) })
      .then(reload, place.onProblem);
  }
  function afterTab(): Shown {
    if (shown === 'here') return 'everywhere';
    return shown === 'everywhere' && away > 0 ? 'archived' : 'here';
  }
  function fork({ session }: SessionHit, { close }: PickerHands): void {
    close();
    backend()
      ?.open(session)
      .then((found) => found.fork())
      .then(({ id }) => options.open(id), place.onProblem);
  }

  return createPicker<SessionHit>(
    {
      title: 'Sessions',
      searches: 'Search titles and text',
      words: options.words,
      get hints() {
        return shown === 'archived' ? 'archived' : 'sessions';
      },
      note(rows, { width, glyphs }) {
        const isWide = width >= wideFrom;
        const { name, short } = shownNames[afterTab()];
        const counts =
          shown === 'archived'
            ? [`${grouped(rows.length)} archived`]
            : isWide
              ? [grouped(total), `this folder ${grouped(here)}`]
              : [`${grouped(rows.length)} of ${grouped(total)}`];
        return [...counts, `Tab ${isWide ? name : short}`].join(` ${glyphs.dot} `);
      },
      ...(options.known.length > 0 && { known: placed(options.known, false) }),
      load,
      startsAt: ({ session }) =>
        options.previous === undefined ? session !== options.current : session === options.previous,
      keyOf: ({ session }) => session,
      onSelect: rest,
      rowOf: (entry, look) =>
        sessionPickerRow(
          entry,
          {
            rank: ranks.get(entry.session) ?? 3,
            branch: branches.get(entry.cwd),
            words: wordsOf(entry, asked, said),
          },
          look,
        ),
      preview: (entry, look) => preview(entry.excerpt ?? said.get(entry.session), asked.get(entry.session), look),
      choose: ({ session }) => options.open(session),
      onKey(data, row, hands) {
        if (matchesKey(data, Key.tab)) {
          shown = afterTab();
          hands.reload();
        } else if (row === undefined) return false;
        else if (matchesKey(data, Key.ctrl('r'))) rename(row, hands);
        else if (matchesKey(data, Key.ctrl('x'))) archive(row, hands);
        else if (matchesKey(data, Key.ctrl('f'))) fork(row, hands);
        else return false;
        return true;
      },
      everyMs: refreshMs,
      onClose: () => clearTimeout(resting),
    },
    place,
  );
}

function wordsOf(
  { session }: { readonly session: SessionId },
  asked: ReadonlyMap<string, OpenQuestion>,
  said: ReadonlyMap<string, string>,
): string {
  const question = asked.get(session);
  return question === undefined ? replyEnd(said.get(session) ?? '') : effectHeading(question);
}

function preview(text: string | undefined, question: OpenQuestion | undefined, look: Look): readonly string[] {
  const { paint, glyphs, width } = look;
  const prose = oneLine(plainProse(text ?? ''));
  const lines = prose === '' ? [] : wrapped(prose, width).slice(0, previewLines);
  const need = question === undefined ? [] : [`${paint.need(glyphs.need)} Needs you: ${commandOf(question)}`];
  return lines.length + need.length === 0 ? [] : [paint.ink3('Preview'), ...lines, ...need];
}

/** The command itself, where the row has its effect. */
function commandOf(question: OpenQuestion): string {
  const command = question.args === undefined ? undefined : argumentsOf(question.args)?.['command'];
  return typeof command === 'string' ? oneLineWithEnd(command) : effectHeading(question);
}

function lastPart(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder;
}
