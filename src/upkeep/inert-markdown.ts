/**
 * Markdown that loads nothing when opened: images become links, HTML elements become text, because a URL could
 * carry session data out (S18). Code stays as it is. Only fences at the start of a line count, since every reader
 * treats those as code.
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
        .find((one) => one !== undefined);
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
