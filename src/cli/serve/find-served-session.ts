import { Fault } from '../../kernel/fault.ts';
import { noSession } from '../../session/read/find-session.ts';
import { usageError } from '../usage-error.ts';

/** An id as it is, else the one session that begins so, or the newest. */
export async function findServedSession(given: string, url: string, token = ''): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/sessions?limit=1000`, { headers }).catch((cause: unknown) => {
    const message = `Can't look up session ${given}: no server answers at ${url}. Start one with \`rondo serve\`.`;
    throw new Fault('network', message, { cause });
  });
  if (!answer.ok) return given;
  const { entries } = (await answer.json()) as { entries: readonly { readonly session: string }[] };
  const found = entries.filter(({ session }) => given === 'latest' || session.startsWith(given));
  if (found.length > 1 && given !== 'latest')
    throw usageError(`several sessions start with ${given}; write more of the id`);
  const [first] = found;
  if (first !== undefined) return first.session;
  // An older one than are listed is found by its whole id alone.
  if (/^ses_\w{12,}$/.test(given)) return given;
  throw noSession(given);
}
