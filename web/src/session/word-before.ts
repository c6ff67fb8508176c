/** The word that ends at a position in a text, and where it starts. */
export function wordBefore(text: string, place: number): { readonly word: string; readonly from: number } {
  const before = text.slice(0, place);
  const from = before.search(/\S*$/);
  return { word: before.slice(from), from };
}
