/** Drafts survive a reload of the page. */
const keyOf = (session: string): string => `rondo.draft.${session}`;

export function keptDraft(session: string): string {
  return sessionStorage.getItem(keyOf(session)) ?? '';
}

export function keepDraft(session: string, text: string): void {
  if (text === '') sessionStorage.removeItem(keyOf(session));
  else sessionStorage.setItem(keyOf(session), text);
}
