/** A model's price in dollars per million tokens: `$3 in · $15 out`, `free`, `unpriced`. */
export function priceText(price: { readonly input: number; readonly output: number } | null | undefined): string {
  if (price === undefined || price === null) return 'unpriced';
  return price.input === 0 && price.output === 0 ? 'free' : `$${price.input} in · $${price.output} out`;
}
