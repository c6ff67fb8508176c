import { usageError } from '../usage-error.ts';

/** An id as it is, else the one session that begins so, or the newest. */
export async function findServedSession(given: string, url: string, token = ''): Promise<string> {
  const answer = await fetch(`${url}/api/v1/sessions?limit=1000`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) return given;
  const { entries } = (await answer.json()) as { entries: readonly { readonly session: string }[] };
  const found = entries.filter(({ session }) => given === 'latest' || session.startsWith(given));
  if (found.length > 1 && given !== 'latest') throw usageError(`more than one session begins with ${given}`);
  return found[0]?.session ?? given;
}
