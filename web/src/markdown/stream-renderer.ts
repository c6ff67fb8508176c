/** Shows streaming Markdown. Settled pieces are rendered once; each update renders only the open piece again. */
import { atStart, splitMarkdown, type Cursor, type Piece } from './markdown-pieces.ts';

type Render = (text: string) => DocumentFragment;

export function createStreamRenderer(node: HTMLElement, render: Render): (text: string) => void {
  let shown = '';
  let cursor: Cursor = atStart;
  /** The open piece's nodes, which the next update replaces. */
  let open: readonly ChildNode[] = [];
  let openCode: { readonly from: number; readonly code: HTMLElement; length: number } | undefined;
  /** What later items and rows join. */
  let list: Element | undefined;
  let table: { readonly body: Element; readonly head: string } | undefined;

  function append(parent: Element, nodes: readonly ChildNode[]): readonly ChildNode[] {
    parent.append(...nodes);
    return nodes;
  }
  function place(piece: Piece): readonly ChildNode[] {
    switch (piece.kind) {
      case 'item': {
        const fragment = render(piece.text);
        const drawn = fragment.firstElementChild;
        if (piece.isFirst === false && list !== undefined && drawn !== null) {
          drawn.remove();
          // An open item may be followed by the beginning of something else.
          return [...append(list, [...drawn.children]), ...append(node, [...fragment.childNodes])];
        }
        list = drawn ?? undefined;
        return append(node, [...fragment.childNodes]);
      }
      case 'row':
        return table === undefined
          ? append(node, [...render(piece.text).childNodes])
          : append(table.body, rowsOf(piece.text, table.head));
      case 'table': {
        const fragment = render(piece.text);
        const drawn = fragment.querySelector('table');
        const body = drawn?.querySelector('tbody') ?? drawn?.appendChild(document.createElement('tbody'));
        table = body === undefined || body === null ? undefined : { body, head: piece.text };
        return append(node, [...fragment.childNodes]);
      }
      case 'code':
      case 'text':
        list = undefined;
        table = undefined;
        return append(node, [...render(piece.text).childNodes]);
    }
  }
  function rowsOf(text: string, head: string): readonly ChildNode[] {
    return [...render(`${head.trimEnd()}\n${text}`).querySelectorAll('tbody > tr')];
  }
  /** Code only grows: its text is appended instead of drawn again. */
  function growCode({ text }: Piece, from: number): void {
    const body = text.slice(text.indexOf('\n') + 1);
    if (openCode?.from !== from) {
      const fence = text.slice(0, text.length - body.length).trimEnd();
      open = place({ kind: 'code', text: `${fence}\n` });
      const code = open
        .map((one) => (one instanceof Element ? one.querySelector('code') : null))
        .find((one) => one !== null);
      if (code === undefined) return;
      code.textContent = '';
      openCode = { from, code, length: 0 };
    }
    openCode.code.append(body.slice(openCode.length));
    openCode.length = body.length;
  }

  return (text) => {
    if (!text.startsWith(shown)) {
      node.replaceChildren();
      cursor = atStart;
      open = [];
      openCode = undefined;
      list = undefined;
      table = undefined;
    }
    shown = text;
    const split = splitMarkdown(text, cursor);
    const isSameCode =
      split.settled.length === 0 && split.open?.kind === 'code' && openCode?.from === split.cursor.offset;
    if (!isSameCode) {
      for (const old of open) old.remove();
      open = [];
      openCode = undefined;
    }
    for (const piece of split.settled) place(piece);
    ({ cursor } = split);
    if (split.open === undefined) return;
    const isGrowing = split.open.kind === 'code' && split.open.text.includes('\n');
    if (isGrowing) growCode(split.open, cursor.offset);
    else open = placeOpen(split.open);
  };

  /** An open piece may start a list or end one; settled pieces decide that. */
  function placeOpen(piece: Piece): readonly ChildNode[] {
    const before = { list, table };
    const nodes = place(piece);
    ({ list, table } = before);
    return nodes;
  }
}
