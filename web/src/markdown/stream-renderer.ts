/** Shows streaming Markdown. Settled pieces are drawn once; each update changes only what the open piece gained. */
import { patchNodes } from './patch-nodes.ts';
import { atStart, splitMarkdown, type Cursor, type Piece } from './markdown-pieces.ts';

type Render = (text: string) => DocumentFragment;

interface Part {
  readonly parent: Element;
  readonly nodes: readonly ChildNode[];
}

export function createStreamRenderer(node: HTMLElement, render: Render): (text: string) => void {
  let shown = '';
  let cursor: Cursor = atStart;
  /** The open piece's nodes, which the next update changes or replaces. */
  let open: readonly ChildNode[] = [];
  let openPlace: { readonly from: number; readonly kind: Piece['kind'] } | undefined;
  let openCode: { readonly from: number; readonly code: HTMLElement; length: number } | undefined;
  /** Later items and rows are appended to it. */
  let list: Element | undefined;
  let table: { readonly body: Element; readonly head: string } | undefined;

  /** Renders a piece without showing it. What a list or a table joins is decided here. */
  function drawn(piece: Piece): readonly Part[] {
    switch (piece.kind) {
      case 'item': {
        const fragment = render(piece.text);
        const first = fragment.firstElementChild;
        if (piece.isFirst === false && list !== undefined && first !== null) {
          first.remove();
          // An open item may be followed by the beginning of something else.
          return [
            { parent: list, nodes: [...first.children] },
            { parent: node, nodes: [...fragment.childNodes] },
          ];
        }
        list = first ?? undefined;
        return [{ parent: node, nodes: [...fragment.childNodes] }];
      }
      case 'row':
        return table === undefined
          ? [{ parent: node, nodes: [...render(piece.text).childNodes] }]
          : [{ parent: table.body, nodes: rowsOf(piece.text, table.head) }];
      case 'table': {
        const fragment = render(piece.text);
        const found = fragment.querySelector('table');
        const body = found?.querySelector('tbody') ?? found?.appendChild(document.createElement('tbody'));
        table = body === undefined || body === null ? undefined : { body, head: piece.text };
        return [{ parent: node, nodes: [...fragment.childNodes] }];
      }
      case 'code':
      case 'text':
        list = undefined;
        table = undefined;
        return [{ parent: node, nodes: [...render(piece.text).childNodes] }];
    }
  }
  function place(piece: Piece): readonly ChildNode[] {
    return drawn(piece).flatMap(({ parent, nodes }) => {
      parent.append(...nodes);
      return nodes;
    });
  }
  function rowsOf(text: string, head: string): readonly ChildNode[] {
    return [...render(`${head.trimEnd()}\n${text}`).querySelectorAll('tbody > tr')];
  }
  /** Code only grows: its text is appended instead of drawn again. */
  function growCode({ text }: Piece, from: number): void {
    const body = text.slice(text.indexOf('\n') + 1);
    if (openCode?.from !== from) {
      forgetOpen();
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
      openPlace = undefined;
      list = undefined;
      table = undefined;
    }
    shown = text;
    const split = splitMarkdown(text, cursor);
    const isSame =
      split.settled.length === 0 && openPlace?.from === split.cursor.offset && openPlace.kind === split.open?.kind;
    if (!isSame) forgetOpen();
    for (const piece of split.settled) place(piece);
    ({ cursor } = split);
    if (split.open === undefined) return;
    const { kind } = split.open;
    const isGrowing = kind === 'code' && split.open.text.includes('\n');
    if (isGrowing) growCode(split.open, cursor.offset);
    else open = placeOpen(split.open);
    openPlace = { from: cursor.offset, kind };
  };

  function forgetOpen(): void {
    for (const old of open) old.remove();
    open = [];
    openCode = undefined;
    openPlace = undefined;
  }

  /** An open piece may start a list or end one; settled pieces decide that. */
  function placeOpen(piece: Piece): readonly ChildNode[] {
    const before = { list, table };
    const parts = drawn(piece);
    ({ list, table } = before);
    const [only, more] = parts.filter(({ nodes }) => nodes.length > 0);
    if (only !== undefined && more === undefined && open.every(({ parentNode }) => parentNode === only.parent))
      return patchNodes(open, only.nodes, (fresh) => only.parent.append(fresh));
    for (const old of open) old.remove();
    return parts.flatMap(({ parent, nodes }) => {
      parent.append(...nodes);
      return nodes;
    });
  }
}
