import { createHash } from 'node:crypto';

import { environmentChanges, isHarmlessVariable } from '../../security/shell/environment-changes.ts';
import type { AssignmentFact, Segment } from '../../security/shell/segment.ts';
import { programName } from '../../security/shell/shell-word.ts';

/** A command as rules see it (S4): its environment changes, program, arguments and input. */
export interface CommandForm {
  readonly text: string;
  /** The same without its environment, and with the program's bare name. For rules that deny or ask. */
  readonly also: readonly string[];
  /** Its changes to the environment that programs read. `unknown` if a value is known only at run time. */
  readonly environment: 'same' | 'changed' | 'unknown';
}

/** The forms of a line's segments. A variable set in any part of the line applies to all of them. */
export function commandForms(segments: readonly Segment[]): readonly CommandForm[] {
  const carried = environmentChanges(segments);
  return segments.map((segment) => {
    if (segment.words.length === 0) return { text: '', also: [], environment: 'same' };
    const own = segment.assignments.filter(({ name }) => !isHarmlessVariable(name));
    const changes = [...carried.filter((change) => !isDoneBy(segment, change)), ...own];
    const texts = new Set(changes.map(assignmentText));
    const text = [...texts, segment.text, ...inputText(segment)].join(' ');
    const [program = ''] = segment.words;
    const isWritten = segment.text.startsWith(program);
    const bare = isWritten ? programName(program) + segment.text.slice(program.length) : segment.text;
    return {
      text,
      also: [...new Set([segment.text, bare])].filter((other) => other !== text),
      environment: changes.length === 0 ? 'same' : changes.some(({ dynamic }) => dynamic) ? 'unknown' : 'changed',
    };
  });
}

/** `export A=1` itself shows what it sets. */
function isDoneBy(segment: Segment, { name }: AssignmentFact): boolean {
  return segment.words.slice(1).some((word) => word === name || word.startsWith(`${name}=`));
}

function assignmentText({ name, value }: AssignmentFact): string {
  return `${name}=${/^[\w./:,@%+-]*$/.test(value) ? value : `'${value}'`}`;
}

function inputText({ redirects, input }: Segment): readonly string[] {
  const files = redirects.flatMap(({ kind, target }) => (kind === 'read' ? [`< ${target}`] : []));
  if (input === undefined) return files;
  const isShort = input.length <= 80 && !input.includes('\n');
  return [...files, `<<< ${isShort ? `'${input}'` : `#${shortDigest(input)}`}`];
}

export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
