/**
 * Changes drawn nodes into freshly rendered ones. What is equal stays, so that an open piece that grew by a word
 * draws that word, however long the piece is.
 */
export function patchNodes(
  drawn: readonly ChildNode[],
  fresh: readonly ChildNode[],
  append: (node: ChildNode) => void,
): readonly ChildNode[] {
  const result = fresh.map((node, index) => {
    const before = drawn[index];
    if (before === undefined) append(node);
    return before === undefined ? node : patched(before, node);
  });
  for (const left of drawn.slice(fresh.length)) left.remove();
  return result;
}

function patched(before: ChildNode, fresh: ChildNode): ChildNode {
  if (before.isEqualNode(fresh)) return before;
  if (before instanceof Text && fresh instanceof Text) {
    if (fresh.data.startsWith(before.data)) before.appendData(fresh.data.slice(before.data.length));
    else before.data = fresh.data;
    return before;
  }
  if (before instanceof Element && fresh instanceof Element && isAlike(before, fresh)) {
    // Only colored since it was drawn.
    if (before.tagName === 'CODE' && before.textContent === fresh.textContent) return before;
    patchNodes([...before.childNodes], [...fresh.childNodes], (node) => before.append(node));
    return before;
  }
  before.replaceWith(fresh);
  return fresh;
}

function isAlike(one: Element, other: Element): boolean {
  return (
    one.tagName === other.tagName &&
    one.attributes.length === other.attributes.length &&
    [...one.attributes].every(({ name, value }) => other.getAttribute(name) === value)
  );
}
