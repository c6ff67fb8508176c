/** Quotes in a request. */

/** Regular expression source: quoted text, a fenced block, or words. */
export const quotedShape = '"[^"]*"|`[^`]+`|\'[^\']*\'|“[^”]*”|```[\\s\\S]*?```';

export function isQuoted(text: string): boolean {
  return new RegExp(`^(?:${quotedShape})$`).test(text.trim());
}

/** Removes surrounding quotes or a fence. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(trimmed)?.[1];
  if (fenced !== undefined) return fenced;
  return isQuoted(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

/** Opens with a quote that doesn't close at the end, so it isn't one exact text. */
export function isHalfQuoted(text: string): boolean {
  return /^["'`“]/.test(text.trim()) && !isQuoted(text);
}

/** A path at the end of a sentence. */
export function pathFrom(text: string): string {
  return unquoted(text.trim().replace(/[.,;!?]+$/, ''));
}

/** "a login function" describes a wish, not the file's content. */
export function isDescription(text: string): boolean {
  return (
    !isQuoted(text) &&
    /^(?:an?|the|some|all|my|our|your|code|content|something|functions?|tests?|sections?|more|examples?)\s/i.test(
      text.trim(),
    )
  );
}
