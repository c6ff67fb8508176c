/**
 * Text as Markdown that loads nothing when somebody opens it: an image becomes a link, and an element becomes its
 * text. An address in it could carry out what the session knows (S18). Code stays as it is; only fences that begin a
 * line count, for every reader takes those for code.
 */
export function inertMarkdown(text: string): string {
  let fence: string | undefined;
  const inert = text
    .split('\n')
    .map((line) => {
      if (fence !== undefined) {
        const isEnd = new RegExp(`^${fence}${fence.slice(0, 1)}*\\s*$`).test(line);
        if (isEnd) fence = undefined;
        return line;
      }
      fence = /^(`{3,})[^`]*$|^(~{3,})/
        .exec(line)
        ?.slice(1)
        .find((found) => found !== undefined);
      return fence === undefined ? inertLine(line) : line;
    })
    .join('\n');
  // A fence that stays open would turn what follows inside out: its code into text, its text into code.
  return fence === undefined ? inert : `${inert}\n${fence}`;
}

/** The same for words inside a line. */
export function inertWords(text: string): string {
  return inertLine(text.replaceAll(/\s*\n\s*/g, ' '));
}

function inertLine(line: string): string {
  return line.replaceAll(/!(?=\[)/g, '\\!').replaceAll(/<(?=[a-z!/?])/gi, '&lt;');
}
