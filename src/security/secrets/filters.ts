/** Transforms text. Every read and every print passes through one. */
export type TextFilter = (text: string) => string;

/** Combines filters in order. Without any, text passes unchanged. */
export function composeFilters(...filters: readonly TextFilter[]): TextFilter {
  return (text) => filters.reduce((filtered, filter) => filter(filtered), text);
}
