/** Text in, text out: what every read and every print passes through. */
export type TextFilter = (text: string) => string;

/** One filter that applies the given ones in order. Without any, text passes unchanged. */
export function composeFilters(...filters: readonly TextFilter[]): TextFilter {
  return (text) => filters.reduce((filtered, filter) => filter(filtered), text);
}
