import { previewOf } from '../content.ts';
import type { Mode } from '../mode.ts';
import type { Request } from '../prompt.ts';

const longestTitle = 60;

/** A session's title, from its first prompt. If people type calls there, from the first call, as they would type it. */
export function titleOf(request: Request, mode: Mode): string | undefined {
  if (request.type === 'chat') return titleFrom(previewOf(request.text));
  const [call] = request.type === 'task' ? request.calls : [];
  if (mode.lines === undefined || call === undefined) return undefined;
  const words = previewOf(call.args).replace(/,?"\w+":|[{}"]/g, ' ');
  return titleFrom(`${call.tool} ${words}`.replace(/ +/g, ' '));
}

/** The first line, cut at a word. */
export function titleFrom(text: string): string {
  const line = text
    .split('\n')
    .map((part) => part.replace(/^[\s#>*-]+/, '').trim())
    .find((part) => part !== '');
  if (line === undefined || line.length <= longestTitle) return line ?? '';
  const cut = line.slice(0, longestTitle);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > longestTitle / 2 ? space : longestTitle - 1).trimEnd()}…`;
}
