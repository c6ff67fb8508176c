/** The blocks of a shared session's document, for display. The server made its content inert. */

type SharedBlock =
  | { readonly type: 'prompt'; readonly by: string; readonly at: number; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'fold'; readonly summary: string; readonly text: string };

export function sharedBlocks(markdown: string): readonly SharedBlock[] {
  const blocks: SharedBlock[] = [];
  let open: Exclude<SharedBlock, { type: 'text' }> | undefined;
  let lines: string[] = [];
  let fence = '';
  const close = () => {
    const text = lines.join('\n').trim();
    if (open !== undefined) blocks.push({ ...open, text });
    else if (text !== '') blocks.push({ type: 'text', text });
    open = undefined;
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const [, ticks = ''] = /^(`{3,})/.exec(line) ?? [];
    // Nothing inside a fence is structure.
    if (fence !== '') {
      if (ticks === line && ticks.length >= fence.length) fence = '';
      lines.push(line);
      continue;
    }
    const [, summary] = /^<details><summary>(.*)<\/summary>$/.exec(line) ?? [];
    const [, by, time] = /^## (.*), (\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(line) ?? [];
    const [, ending] = /^## (Decisions|Usage)$/.exec(line) ?? [];
    if (summary !== undefined) {
      close();
      open = { type: 'fold', summary: unescaped(summary), text: '' };
    } else if (line === '</details>') close();
    else if (by !== undefined && time !== undefined) {
      close();
      open = { type: 'prompt', by, at: Date.parse(time), text: '' };
    } else if (ending !== undefined) {
      close();
      open = { type: 'fold', summary: ending, text: '' };
    } else if (line.startsWith('### ') && open?.type !== 'fold') close();
    else {
      fence = ticks;
      lines.push(line);
    }
  }
  close();
  // The title and the facts below it are in the page's header.
  return blocks[0]?.type === 'text' && blocks[0].text.startsWith('# ') ? blocks.slice(1) : blocks;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
