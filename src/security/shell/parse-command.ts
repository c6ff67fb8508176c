import type { InnerCommand, Shell } from './inner-command.ts';
import { type SegmentPlace, readSegments, type SegmentDraft } from './read-segments.ts';
import { resolveOptions } from './resolve-options.ts';
import type { AssignmentFact, ParsedCommand, PipePlace, Segment } from './segment.ts';
import { dialectDoubt } from './shell-dialect.ts';
import { readShellTree } from './shell-tree.ts';
import { joinWords, type ShellWord } from './shell-word.ts';
import type { Stdin } from './unwrap-shells.ts';
import { unwrap } from './unwrap.ts';

/**
 * Returns every simple command that a shell could execute for `source`, however hidden, in source order. `shell` is
 * the shell that will run it. Never throws. The time is proportional to the length of the input.
 */
export function parseCommand(source: string, options: { readonly shell?: 'bash' | 'sh' } = {}): ParsedCommand {
  const tree = readShellTree(source);
  if (tree.type === 'unparsed') return tree;
  const shell = options.shell ?? 'bash';
  const doubt = shell === 'sh' ? dialectDoubt(tree.script) : undefined;
  if (doubt !== undefined) return { type: 'unparsed', reason: doubt.reason, at: doubt.at };
  const segments: Segment[] = [];
  addDrafts(segments, readSegments(tree.script), ROOT);
  return { type: 'parsed', segments };
}

/** The context of code wrapped in the segment at `within`. */
type Surroundings = {
  readonly via: readonly string[];
  readonly background: boolean;
  readonly depth: number;
  readonly pipe?: PipePlace;
  readonly within?: number;
};

const ROOT: Surroundings = { via: [], background: false, depth: 0 };
const DEEPEST = 12;
// A line of wrappers can nest as many commands as it has words.
const MOST_SEGMENTS = 20_000;

function addDrafts(segments: Segment[], drafts: readonly SegmentDraft[], around: Surroundings): void {
  const base = segments.length;
  const places: number[] = [];
  for (const draft of drafts) {
    places.push(segments.length);
    const within = draft.place.within === undefined ? around.within : places[draft.place.within];
    const surroundings = surround(draft.place, around, within, base);
    addCommand(segments, draft, surroundings);
  }
}

function surround(
  place: SegmentPlace,
  around: Surroundings,
  within: number | undefined,
  base: number,
): Surroundings {
  const pipe =
    place.pipe === undefined
      ? place.detached
        ? undefined
        : around.pipe
      : { ...place.pipe, group: place.pipe.group + base };
  return {
    via: [...around.via, ...place.via],
    background: around.background || place.background,
    depth: around.depth,
    ...(pipe === undefined ? {} : { pipe }),
    ...(within === undefined ? {} : { within }),
  };
}

type Command = Omit<SegmentDraft, 'place'>;

function addCommand(segments: Segment[], command: Command, around: Surroundings): void {
  const words = resolveOptions(command.words);
  const index = segments.length;
  const stdin: Stdin =
    command.stdin.type === 'inherited' && (around.pipe?.stage ?? 0) > 0 ? { type: 'fed' } : command.stdin;
  const unwrapped = unwrap(words, stdin);
  const doubts = [doubtAboutName(words), command.doubt, unwrapped.doubt];
  segments.push(
    segmentOf(
      { ...command, words },
      around,
      doubts.find((doubt) => doubt !== undefined),
    ),
  );
  for (const inner of unwrapped.inner) {
    const doubt = addInner(
      segments,
      inner,
      { ...around, via: [...around.via, inner.via], within: index, depth: around.depth + 1 },
      stdin,
    );
    const wrapper = segments[index];
    if (doubt !== undefined && wrapper !== undefined && !wrapper.opaque)
      segments[index] = { ...wrapper, opaque: true, doubt };
  }
}

/** Adds the inner commands. Returns a doubt if the wrapper may run more than was found. */
function addInner(
  segments: Segment[],
  inner: InnerCommand,
  around: Surroundings,
  stdin: Stdin,
): string | undefined {
  if (around.depth > DEEPEST || segments.length > MOST_SEGMENTS) return 'too many nested commands to analyze';
  if (inner.type === 'argv') {
    addCommand(segments, { words: inner.words, assignments: inner.assignments, redirects: [], stdin }, around);
    return undefined;
  }
  const tree = readShellTree(inner.code.text);
  if (tree.type === 'unparsed') return `code that can't be parsed: ${tree.reason}`;
  addDrafts(segments, readSegments(tree.script), around);
  return (
    doubtAboutCode(inner.code, inner.shell) ??
    (inner.shell === 'sh' ? dialectDoubt(tree.script)?.reason : undefined)
  );
}

function doubtAboutCode(code: ShellWord, shell: Shell): string | undefined {
  if (code.kind === 'dynamic') return 'code known only at run time';
  return shell === 'other' ? 'code for a shell whose grammar is not known' : undefined;
}

function doubtAboutName(words: readonly ShellWord[]): string | undefined {
  const [name] = words;
  if (name?.kind === 'dynamic') return 'the program is known only at run time';
  return name?.text.startsWith('-') === true ? 'an option stands where a program is expected' : undefined;
}

function segmentOf(command: Command, around: Surroundings, doubt: string | undefined): Segment {
  const { words } = command;
  return {
    words: words.map((word) => word.text),
    dynamic: words.flatMap((word, index) => (word.kind === 'static' ? [] : [index])),
    text: joinWords(words),
    opaque: doubt !== undefined,
    ...(doubt === undefined ? {} : { doubt }),
    via: around.via,
    assignments: command.assignments satisfies readonly AssignmentFact[],
    redirects: command.redirects,
    ...(command.stdin.type === 'text' ? { input: command.stdin.text.text } : {}),
    background: around.background,
    ...(around.pipe === undefined ? {} : { pipe: around.pipe }),
    ...(around.within === undefined ? {} : { within: around.within }),
  };
}
