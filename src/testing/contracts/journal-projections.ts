import { describe, expect, it } from 'vitest';

import type { DirectoryQuery } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import type { QuestionId, SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import { directoryEntry, first, questionEntry, record, request, second } from './journal-samples.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';
import { timeAt } from '../../kernel/time.ts';

export function describeProjections(open: OpenStore): void {
  describe('projections', () => {
    it('[O13] writes the directory entry with the append, and nothing of it when the append is refused', async () => {
      await using under = await open();
      const { journal } = under.store;
      const entry = directoryEntry(first, { title: 'Fix the build', parent: second, cost: 0.25 });
      await journal.append(request(0, [record('a')], { projection: { entry } }));
      const changed = directoryEntry(first, { title: 'changed' });
      await journal.append(request(7, [record('b')], { projection: { entry: changed, due: timeAt(1) } }));
      expect(await journal.list({})).toEqual({ entries: [entry] });
      await journal.append(request(1, [record('b')], { projection: { entry: changed } }));
      expect(await journal.list({})).toEqual({ entries: [changed] });
    });

    it('lists newest first, then by id, and pages without gap or repeat', async () => {
      await using under = await open();
      const times = [5, 9, 5, 7, 5];
      await fill(
        under,
        times.map((updatedAt, index) => directoryEntry(id(index), { updatedAt })),
      );
      const { journal } = under.store;
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: 2, ...optional({ cursor }) };
        const page = await journal.list(query);
        const { entries, ...rest } = await journal.listText(query);
        expect({ entries: JSON.parse(entries) as unknown, ...rest }).toEqual(page);
        pages.push(page.entries.map(({ session }) => session));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(pages).toEqual([[id(1), id(3)], [id(0), id(2)], [id(4)]]);
    });

    it('finds the forks of a session, with the event each continues from [C119]', async () => {
      await using under = await open();
      const origin = { session: first, at: 12 };
      await fill(under, [
        directoryEntry(first),
        directoryEntry('ses_b' as SessionId, { origin }),
        directoryEntry('ses_c' as SessionId, { parent: first }),
      ]);
      const { entries } = await under.store.journal.list({ origin: first });
      expect(entries.map(({ session, origin: from }) => ({ session, from }))).toEqual([
        { session: 'ses_b', from: origin },
      ]);
    });

    it('finds sessions by state, agent, parent, id prefix and words of the title [C122]', async () => {
      await using under = await open();
      await fill(under, [
        directoryEntry('ses_aa1' as SessionId, { state: 'running', title: 'Fix the ÖRTLICHE build' }),
        directoryEntry('ses_aa2' as SessionId, { agent: 'reviewer', title: '100% of_the docs' }),
        directoryEntry('ses_b' as SessionId, { parent: 'ses_aa1' as SessionId, title: 'Build again' }),
      ]);
      const list = async (query: DirectoryQuery) =>
        (await under.store.journal.list(query)).entries.map(({ session }) => session);
      expect(await list({ state: 'running' })).toEqual(['ses_aa1']);
      expect(await list({ agent: 'reviewer' })).toEqual(['ses_aa2']);
      expect(await list({ parent: 'ses_aa1' as SessionId })).toEqual(['ses_b']);
      expect(await list({ prefix: 'ses_aa' })).toEqual(['ses_aa1', 'ses_aa2']);
      expect(await list({ prefix: 'ses_AA' })).toEqual([]);
      expect(await list({ prefix: 'ses%' })).toEqual([]);
      expect(await list({ q: 'build' })).toEqual(['ses_aa1', 'ses_b']);
      expect(await list({ q: '  BUILD örtliche ' })).toEqual(['ses_aa1']);
      expect(await list({ q: '0% f_' })).toEqual(['ses_aa2']);
      expect(await list({ q: 'build', state: 'idle' })).toEqual(['ses_b']);
      expect(await list({ q: 'nothing like it' })).toEqual([]);
    });

    it('[O13] keeps open questions until they are closed', async () => {
      await using under = await open();
      const { journal } = under.store;
      const late = questionEntry(first, 'q_late', 20);
      const early = questionEntry(second, 'q_early', 10);
      await journal.append(request(0, [record('a')], { projection: { questionsOpened: [late] } }));
      const opened = request(0, [record('a')], { session: second, projection: { questionsOpened: [early] } });
      await journal.append(opened);
      expect(await journal.openQuestions({})).toEqual([early, late]);
      expect(await journal.openQuestions({ session: first })).toEqual([late]);
      const questionsClosed = ['q_late' as QuestionId];
      await journal.append(request(1, [record('b')], { projection: { questionsClosed } }));
      expect(await journal.openQuestions({})).toEqual([early]);
    });
  });
}

async function fill({ store }: StoreUnderTest, entries: readonly DirectoryEntry[]): Promise<void> {
  await Promise.all(
    entries.map((entry) =>
      store.journal.append(request(0, [record('a')], { session: entry.session, projection: { entry } })),
    ),
  );
}

function id(index: number): SessionId {
  return `ses_${index}` as SessionId;
}
