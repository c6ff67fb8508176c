/** Comments on lines of a diff. They stay in this browser until they are sent as one prompt. */
interface Comment {
  readonly id: number;
  readonly path: string;
  readonly line: number;
  /** The line was removed: its number counts in the old file. */
  readonly isOld: boolean;
  /** The commented line. */
  readonly quote: string;
  readonly text: string;
}

export interface Comments {
  readonly all: readonly Comment[];
  at(place: Pick<Comment, 'path' | 'line' | 'isOld'>): readonly Comment[];
  add(comment: Omit<Comment, 'id'>): void;
  change(id: number, text: string): void;
  remove(id: number): void;
  clear(): void;
}

export function createComments(session: string): Comments {
  const place = `rondo.comments.${session}`;
  let all = $state.raw<readonly Comment[]>(read(place));
  function save(next: readonly Comment[]): void {
    all = next;
    if (next.length === 0) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(next));
  }
  return {
    get all() {
      return all;
    },
    at: ({ path, line, isOld }) =>
      all.filter((comment) => comment.path === path && comment.line === line && comment.isOld === isOld),
    add: (comment) => save([...all, { ...comment, id: Math.max(0, ...all.map(({ id }) => id)) + 1 }]),
    change: (id, text) => save(all.map((comment) => (comment.id === id ? { ...comment, text } : comment))),
    remove: (id) => save(all.filter((comment) => comment.id !== id)),
    clear: () => save([]),
  };
}

/** One prompt with file, line and quote of every comment. */
export function promptOf(comments: readonly Comment[]): string {
  const parts = comments.map(
    ({ path, line, isOld, quote, text }) =>
      `${path}:${line}${isOld ? ' (removed line)' : ''}\n> ${quote}\n\n${text}`,
  );
  return `Review comments on your changes:\n\n${parts.join('\n\n')}`;
}

function read(place: string): readonly Comment[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
    return Array.isArray(value) ? (value as readonly Comment[]) : [];
  } catch {
    return [];
  }
}
