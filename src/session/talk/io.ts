/**
 * One client's channel to a session: inputs in, updates out. Kinds of session differ only in their IO, so one can
 * replace another in mid-conversation.
 */
import { previewOf } from '../../kernel/content.ts';
import type { Result } from '../../views/result.ts';
import type { ClientInput } from '../client-input.ts';
import type { Session } from '../handle/session.ts';
import type { Update } from '../update.ts';

/** One client's channel to a session: inputs in, updates out. */
export interface Io {
  /** Ends when the client leaves. The session stays. */
  readonly inputs: AsyncIterable<ClientInput>;
  tell(update: Update): void;
}

/** Serves a session over a channel until the inputs end or the mode ends the run. */
export async function serveIo(session: Session, io: Io): Promise<Result> {
  const { seq } = await session.status();
  const controller = new AbortController();
  const telling = (async () => {
    for await (const update of session.follow({ after: seq, signal: controller.signal })) io.tell(update);
  })();
  try {
    return await session.run(io.inputs);
  } finally {
    controller.abort();
    await telling;
  }
}

/** In-memory queues in and out, for programs: prints nothing and asks nobody. */
export interface HeadlessIo extends Io {
  enqueueInput(input: string | ClientInput): void;
  /** Ends the inputs. */
  end(): void;
  /** The agent's next text. Null if there is none. */
  readOutput(): string | null;
  readonly lastResponse: string | undefined;
}

/** A channel without a person, for `createTalk` and `serveIo`. */
export function createHeadlessIo(): HeadlessIo {
  const waiting: ClientInput[] = [];
  const written: string[] = [];
  let lastResponse: string | undefined;
  let streamed = '';
  let isEnded = false;
  let wake: (() => void) | undefined;
  const given = createTaskOutput();
  return {
    enqueueInput(input) {
      waiting.push(typeof input === 'string' ? { type: 'chat', text: input } : input);
      wake?.();
    },
    end() {
      isEnded = true;
      wake?.();
    },
    readOutput: () => written.shift() ?? null,
    get lastResponse() {
      return lastResponse;
    },
    tell(update) {
      if (update.type === 'progress' && update.kind === 'text') {
        streamed = (update.offset === 0 ? '' : streamed) + update.text;
        return;
      }
      const settled = saidIn(update) ?? given(update);
      if (settled === undefined) return;
      // An event holds only the beginning of a long reply. The streamed text is complete.
      lastResponse = streamed.startsWith(settled) ? streamed : settled;
      streamed = '';
      written.push(lastResponse);
    },
    inputs: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const next = waiting.shift();
          if (next !== undefined) yield next;
          else if (isEnded) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    },
  };
}

/** Line-based IO, for plain streams: each line is a prompt, and text is printed as it arrives. */
export function createLineIo(lines: AsyncIterable<string>, print: (text: string) => void): Io {
  const given = createTaskOutput();
  return {
    tell(update) {
      const output = given(update);
      if (output !== undefined) print(output);
      if (update.type === 'progress' && update.kind === 'text') print(update.text);
      else if (update.type === 'event' && update.recorded.event.type === 'turn-ended') print('\n');
    },
    inputs: {
      async *[Symbol.asyncIterator]() {
        for await (const line of lines) if (line.trim() !== '') yield { type: 'chat', text: line } as const;
      },
    },
  };
}

/** The output of a task's calls: no model summarizes it, so it is the answer. */
function createTaskOutput(): (update: Update) => string | undefined {
  const tasks = new Set<number>();
  let isTask = false;
  return (update) => {
    if (update.type !== 'event') return undefined;
    const { seq, event } = update.recorded;
    if (event.type === 'prompt-received' && event.request.type === 'task') tasks.add(seq);
    if (event.type === 'turn-started') isTask = tasks.delete(event.prompt);
    if (!isTask || event.type !== 'tool-settled') return undefined;
    const { result } = event;
    if (result.type === 'success') return previewOf(result.output);
    return result.type === 'error' ? previewOf(result.message) : undefined;
  };
}

function saidIn(update: Update): string | undefined {
  if (update.type !== 'event' || update.recorded.event.type !== 'model-settled') return undefined;
  const { outcome } = update.recorded.event;
  return outcome.type === 'completed' && previewOf(outcome.text) !== '' ? previewOf(outcome.text) : undefined;
}
