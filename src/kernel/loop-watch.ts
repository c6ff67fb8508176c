/**
 * Detects a looping turn: the same call with the same result, the same error from one tool, or a cycle of such
 * calls. It is part of the state, so that a restart forgets nothing.
 *
 * 1. A call that changes something in a new way is progress, and counting starts over.
 * 2. It remembers the newest `resultsKept` results.
 */
import type { Call } from './call.ts';
import type { Body } from './content.ts';
import type { Limits } from './limits.ts';
import type { ToolResult } from './outcome.ts';

export interface LoopWatch {
  /** Newest last. */
  readonly seen: readonly SeenResult[];
  /** The model was warned. */
  readonly warned?: true;
}

interface SeenResult {
  /** A digest of tool, arguments and result; for an error, of tool and message. */
  readonly key: string;
  readonly tool: string;
  readonly failed?: true;
  readonly count: number;
}

export const resultsKept = 32;
const defaultRepeats = 10;

export function loopAfter(watch: LoopWatch | undefined, call: Call, result: ToolResult): LoopWatch | undefined {
  if (result.type === 'cancelled') return watch;
  const seen = watch?.seen ?? [];
  const failed = result.type === 'error';
  const key = failed
    ? digestOf(`${call.tool}\n${result.code}\n${textOf(result.message)}`)
    : digestOf(`${call.tool}\n${textOf(call.args)}\n${textOf(result.output)}`);
  const earlier = seen.find((one) => one.key === key);
  const isProgress = earlier === undefined && !failed && changes(call);
  const next = {
    key,
    tool: call.tool,
    ...(failed && { failed: true as const }),
    count: (earlier?.count ?? 0) + 1,
  };
  if (isProgress) return { seen: [next] };
  return { ...watch, seen: [...seen.filter((one) => one !== earlier), next].slice(-resultsKept) };
}

type LoopVerdict = { readonly action: 'warn' | 'ask' | 'stop'; readonly evidence: string };

/** The action to take now, if any. */
export function loopVerdict(
  watch: LoopWatch | undefined,
  { repeats = defaultRepeats, repeatsToAsk }: Pick<Limits, 'repeats' | 'repeatsToAsk'>,
): LoopVerdict | undefined {
  if (watch === undefined) return undefined;
  const worst = watch.seen.reduce((most, one) => (one.count > most.count ? one : most), noResult);
  const evidence =
    worst.failed === true
      ? `${worst.tool} failed ${worst.count} times with the same error.`
      : `${worst.tool} was called ${worst.count} times with the same arguments and gave the same result.`;
  if (repeats > 0 && worst.count >= repeats) return { action: 'stop', evidence };
  if (repeatsToAsk !== undefined && worst.count >= repeatsToAsk) return { action: 'ask', evidence };
  if (repeats > 0 && worst.count * 2 >= repeats && worst.count > 1 && watch.warned !== true) {
    return { action: 'warn', evidence };
  }
  return undefined;
}

const noResult: SeenResult = { key: '', tool: '', count: 0 };

function changes({ facts: { access } }: Call): boolean {
  return access === 'write' || access === 'execute';
}

function textOf(body: Body): string {
  return typeof body === 'string' ? body : body.blob;
}

/** Not cryptographic: two 32-bit hashes that distinguish results in little space. */
function digestOf(text: string): string {
  let [a, b] = [0x81_1c_9d_c5, 0x01_00_01_93];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01_00_01_93);
    b = Math.imul(b + code, 0x5b_d1_e9_95) ^ (b >>> 15);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
