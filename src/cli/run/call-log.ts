import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { previewOf } from '../../kernel/content.ts';
import { oneLine } from '../../views/one-line.ts';
import { targetOf } from '../../views/refusals.ts';
import { callItemIn } from '../../views/transcript-calls.ts';
import type { CallItem } from '../../views/transcript-item.ts';
import { newTranscript, transcriptWith } from '../../views/transcript.ts';
import { callLine, changedText, type CallLine } from '../../wording/call-line.ts';
import { callWords, commandResult, isLookup, isQuestionCall, mergedWords } from '../../wording/call-words.ts';
import { counted } from '../../wording/counted.ts';
import { durationText } from '../../wording/duration.ts';
import type { TonePaint } from '../../wording/terminal-style.ts';

interface CallNews {
  /** Finished lookups, merged into one line and printed first. */
  readonly before?: CallLine;
  readonly line?: CallLine;
  /** A message that must also appear in a pipe. */
  readonly warning?: string;
  /** The current activity. */
  readonly doing?: string;
}

interface CallLog {
  saw(recorded: Recorded): CallNews;
  /** Lookups that wait for others of their kind. */
  flush(): CallLine | undefined;
  /** What the calls changed so far, such as `4 files +12 −6`. Empty if nothing. */
  changes(): string;
}

/** Follows a session's events and reports in one line how each call ended. Consecutive lookups are one line. */
export function createCallLog(paint: TonePaint): CallLog {
  // The id only names effects, which no line shows.
  let transcript = newTranscript('ses_run' as SessionId);
  const changed = { files: new Set<string>(), added: 0, removed: 0 };
  let lookups: CallItem[] = [];

  function flush(): CallLine | undefined {
    const [only, ...others] = lookups;
    if (only === undefined) return undefined;
    const ms = lookups.reduce((sum, { state }) => sum + (('durationMs' in state && state.durationMs) || 0), 0);
    const text = `${paint.good('✓')} ${mergedWords(lookups.map(({ tool }) => tool))}`;
    lookups = [];
    return others.length === 0 ? callLine(only, paint) : { text, took: durationText(ms) };
  }

  /** Ends the line of lookups. */
  function single(news: CallNews): CallNews {
    const before = flush();
    return before === undefined ? news : { before, ...news };
  }

  function settled(item: CallItem): CallNews {
    if (isQuestionCall(item)) return {};
    const { tool, args, state } = item;
    const isSuccess = state.type === 'succeeded' && !commandResult('', state.data).isFailed;
    if (isSuccess && isLookup(tool)) {
      lookups.push(item);
      return {};
    }
    const { kind, object, added, removed } = callWords(item, previewOf(args));
    if (isSuccess && kind === 'edit') {
      changed.files.add(object);
      changed.added += added;
      changed.removed += removed;
    }
    const line = callLine(item, paint);
    if (state.type !== 'refused' || state.code !== 'policy') return single({ line });
    const target = oneLine(targetOf(item));
    const warning = `Refused by policy: ${tool}${target === '' ? '' : ` (${target})`}. ${oneLine(state.reason)}`;
    return single({ line, warning });
  }

  return {
    flush,
    changes: () =>
      changed.files.size === 0 ? '' : `${counted(changed.files.size, 'file')} ${changedText(changed)}`.trimEnd(),
    saw(recorded) {
      transcript = transcriptWith(transcript, recorded);
      const { event } = recorded;
      switch (event.type) {
        case 'model-call-intended':
          return { doing: 'waiting for the model' };
        case 'tool-run-intended':
        case 'job-intended': {
          const item = callItemIn(transcript, event.call);
          if (item === undefined) return {};
          const { doing, object } = callWords(item, previewOf(item.args));
          return { doing: oneLine(`${doing} ${object}`) };
        }
        case 'tool-settled':
        case 'call-refused': {
          const item = callItemIn(transcript, event.call);
          return item === undefined ? {} : settled(item);
        }
        case 'wait-intended':
          if (event.why === 'provider-reset') {
            return { doing: `waiting for the provider until ${new Date(event.until).toLocaleTimeString()}` };
          }
          return event.why === 'error-pause' ? { doing: 'pausing after an error' } : {};
        default:
          return {};
      }
    },
  };
}
