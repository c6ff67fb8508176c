/** A session as a file that the browser keeps: `/export` and the menu. */
import { fetchApi } from '../connection/api.ts';

type Format = 'bundle' | 'markdown' | 'json';

const endings: Readonly<Record<Format, string>> = { bundle: 'rondo', markdown: 'md', json: 'json' };

/** As what, the file's ending says, as everywhere. In words what came of it. */
export async function exportSession(session: string, file?: string): Promise<string> {
  const format: Format = file?.endsWith('.md') ? 'markdown' : file?.endsWith('.json') ? 'json' : 'bundle';
  const name = file ?? `${session}.${endings[format]}`;
  try {
    const answer = await fetchApi(`/sessions/${session}/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format }),
    });
    if (!answer.ok) {
      const { detail } = (await answer.json()) as { readonly detail?: string };
      return `The session was not exported: ${detail ?? `the server answered with ${answer.status}`}.`;
    }
    const url = URL.createObjectURL(await answer.blob());
    const link = document.createElement('a');
    link.href = url;
    link.download = name.split(/[\\/]/).at(-1) ?? name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return `${link.download} is in the browser’s downloads.`;
  } catch (error) {
    return `The session was not exported: ${String(error)}`;
  }
}
