// The code blocks of a documentation page, each with its page's instructions for running it.

/** The instruction in an HTML comment right above a block, invisible in the rendered page. */
type Directive =
  /** `<!-- not run: needs an API key -->`; programs are still compiled. */
  | { readonly type: 'not run'; readonly about: string }
  /** `<!-- file: rondo.json -->`: the block is written to the project and checked; later blocks use it. */
  | { readonly type: 'file'; readonly about: string }
  /** `<!-- checked as: webhook -->` names one of the checks of `guide-places.ts`. */
  | { readonly type: 'checked as'; readonly about: string };

export interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly directive?: Directive;
}

/** A command of a shell block, and the output that the page shows below it. */
export interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

const directivePattern = /^<!-- *(not run|file|checked as):? *(.*?) *-->$/;

export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = page.split('\n');
  let opened: { readonly line: number; readonly language: string; readonly text: string[] } | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (opened === undefined && fence !== null) opened = { line: index + 1, language: fence[1] ?? '', text: [] };
    else if (opened === undefined && /^ {4}\S/.test(line) && lines[index - 1]?.trim() === '')
      blocks.push({ line: index + 1, language: 'indented', text: line });
    else if (opened !== undefined && line === '```') {
      blocks.push({ ...opened, text: opened.text.join('\n'), ...directiveAbove(lines[opened.line - 2] ?? '') });
      opened = undefined;
    } else opened?.text.push(line);
  }
  return blocks;
}

function directiveAbove(line: string): Pick<Block, 'directive'> {
  const [, type, about = ''] = directivePattern.exec(line) ?? [];
  return type === undefined ? {} : { directive: { type: type as Directive['type'], about } };
}

/** Why this block is neither run nor excluded. Undefined if it is either. */
export function faultOf({ language, directive }: Block, checks: readonly string[]): string | undefined {
  if (directive !== undefined && directive.about === '') return `"${directive.type}" without a word after it`;
  if (directive?.type === 'checked as' && !checks.includes(directive.about))
    return `no check "${directive.about}"`;
  if (directive !== undefined) return undefined;
  switch (language) {
    case 'sh':
    case 'console':
    case 'ts':
      return undefined;
    case 'indented':
      return 'an indented block; use a fence with a language';
    case 'json':
    case 'jsonc':
      return 'JSON that nothing checks: say <!-- file: NAME --> or <!-- checked as: … --> above it';
    default:
      return `a block of "${language}": make it sh, console, ts or json, or say <!-- not run: why --> above it`;
  }
}

/** `sh` has only commands; in `console` they follow a `$`, and their output follows them. */
export function stepsOf({ language, text }: Block): readonly Step[] {
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => !/^\s*(#.*)?$/.test(line));
  if (language === 'sh') return lines.map((command) => ({ command, shown: [] }));
  const steps: { readonly command: string; readonly shown: string[] }[] = [];
  for (const line of lines) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [] });
    else if (last === undefined) throw new Error(`Output before the first command: ${line}`);
    else last.shown.push(line);
  }
  return steps;
}

/** Lines of the page that weren't printed in this order. Ids are masked; `…` matches anything. */
export function missingLines(shown: readonly string[], printed: string): readonly string[] {
  const left = printed.split('\n').map(masked);
  return shown.filter((line) => {
    const pattern = new RegExp(
      `^\\s*${masked(line)
        .trim()
        .split('…')
        .map((part) => RegExp.escape(part))
        .join('.*')}\\s*$`,
    );
    const at = left.findIndex((one) => pattern.test(one));
    if (at >= 0) left.splice(0, at + 1);
    return at < 0;
  });
}

function masked(line: string): string {
  return line.replaceAll(/\b(ses|q|tok)_[a-z0-9]*…?/g, '$1_X').replaceAll(/ +/g, ' ');
}
