/** The branch of a request's session, for its card. */
import type { FolderChanges } from '../../../src/views/session-row.ts';
import { branchName } from '../changes/branch-name.ts';
import { getApi } from '../connection/api.ts';

export function loadBranch(session: () => string | undefined): { readonly name: string | undefined } {
  let branches = $state.raw<ReadonlyMap<string, string | undefined>>(new Map());
  $effect(() => {
    const id = session();
    if (id === undefined || branches.has(id)) return;
    void getApi<{ changes: Readonly<Record<string, FolderChanges>> }>(`/sessions/changes?sessions=${id}`).then(
      (answer) => {
        if (answer.type === 'problem') return;
        branches = new Map([...branches, [id, answer.value.changes[id]?.branch]]);
      },
    );
  });
  return {
    get name() {
      const branch = branches.get(session() ?? '');
      return branch === undefined ? undefined : branchName(branch);
    },
  };
}
