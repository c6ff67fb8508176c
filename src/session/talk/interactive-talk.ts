/**
 * A talk with a person, built from a program's own parts: how to parse a line, what a command does, what a message
 * becomes. Every part is required. `build` names the first missing one.
 */
import { Fault } from '../../kernel/fault.ts';
import type { ClientInput } from '../client-input.ts';
import { createLineIo, type Io } from './io.ts';
import { filterIo, type IoFilters } from './io-filters.ts';
import type { Session } from '../handle/session.ts';
import { createTalk, type Talk, type TalkContext } from './talk.ts';

type ParsedLine =
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'command'; readonly name: string; readonly args: string }
  | { readonly type: 'nothing' };

export type LineParser = (line: string) => ParsedLine;
/** `exit` ends the talk. The session stays. */
type CommandPart = (name: string, args: string) => Promise<'go-on' | 'exit'> | 'go-on' | 'exit';
/** The input that a message becomes. Undefined sends nothing. */
type MessagePart = (text: string) => ClientInput | undefined;

/** Each call returns a new builder. The order doesn't matter. */
export interface InteractiveTalkBuilder {
  session(session: Session): InteractiveTalkBuilder;
  lines(lines: AsyncIterable<string>, print: (text: string) => void): InteractiveTalkBuilder;
  parser(parse: LineParser): InteractiveTalkBuilder;
  commands(handle: CommandPart): InteractiveTalkBuilder;
  messages(handle: MessagePart): InteractiveTalkBuilder;
  context(context: Partial<TalkContext>): InteractiveTalkBuilder;
  /** Filters from a later call are closer to the session: they see inputs last and updates first. */
  filters(filters: IoFilters): InteractiveTalkBuilder;
  build(): Talk;
}

interface Parts {
  readonly session?: Session;
  readonly lines?: { readonly from: AsyncIterable<string>; readonly print: (text: string) => void };
  readonly parser?: LineParser;
  readonly commands?: CommandPart;
  readonly messages?: MessagePart;
  readonly context?: Partial<TalkContext>;
  readonly filters?: readonly IoFilters[];
}

/** Builds a line-by-line talk part by part. `build` names a missing part. */
export function interactiveTalk(parts: Parts = {}): InteractiveTalkBuilder {
  return {
    session: (session) => interactiveTalk({ ...parts, session }),
    lines: (from, print) => interactiveTalk({ ...parts, lines: { from, print } }),
    parser: (parser) => interactiveTalk({ ...parts, parser }),
    commands: (commands) => interactiveTalk({ ...parts, commands }),
    messages: (messages) => interactiveTalk({ ...parts, messages }),
    context: (context) => interactiveTalk({ ...parts, context }),
    filters: (filters) => interactiveTalk({ ...parts, filters: [...(parts.filters ?? []), filters] }),
    build() {
      const session = needed('session', parts.session);
      const { from, print } = needed('lines', parts.lines);
      const parser = needed('parser', parts.parser);
      const commands = needed('commands', parts.commands);
      const messages = needed('messages', parts.messages);
      const { tell } = createLineIo(from, print);
      const inputs = { [Symbol.asyncIterator]: () => inputsFrom(from, parser, commands, messages) };
      const io = (parts.filters ?? []).reduce<Io>(filterIo, { tell, inputs });
      return createTalk(session, io, parts.context);
    },
  };
}

async function* inputsFrom(
  lines: AsyncIterable<string>,
  parse: LineParser,
  command: CommandPart,
  message: MessagePart,
): AsyncGenerator<ClientInput> {
  for await (const line of lines) {
    const parsed = parse(line);
    if (parsed.type === 'command' && (await command(parsed.name, parsed.args)) === 'exit') return;
    const input = parsed.type === 'message' ? message(parsed.text) : undefined;
    if (input !== undefined) yield input;
  }
}

function needed<Part>(name: keyof Parts, part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw new Fault('not-found', `Can't build the interactive talk: ${name} is missing. Call ${name}(…) first.`);
}
