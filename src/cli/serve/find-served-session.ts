import { Fault } from '../../kernel/fault.ts';
import { noSession } from '../../session/read/find-session.ts';
import { usageError } from '../usage-error.ts';

/** Accepts a full id, a unique prefix, or `latest`. */
export async function findServedSession(given: string, url: string, token = ''): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/sessions?limit=1000`, { headers }).catch((cause: unknown) => {
    const message = `Looking for session ${given}: no server answers at ${url}; \`rondo serve\` starts one.`;
    throw new Fault('network', message, { cause });
  });
  if (!answer.ok) return given;
  const { entries } = (await answer.json()) as { entries: readonly { readonly session: string }[] };
  const found = entries.filter(({ session }) => given === 'latest' || session.startsWith(given));
  if (found.length > 1 && given !== 'latest')
    throw usageError(`more than one session begins with ${given}; write more of its id`);
  const [first] = found;
  if (first !== undefined) return first.session;
  // A session too old to be listed is only found by its full id.
  if (/^ses_\w{12,}$/.test(given)) return given;
  throw noSession(given);
}
