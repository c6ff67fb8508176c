/**
 * The lines about one request at the end of its prompt. Their length is bounded, and they can't close their own
 * block.
 */
import type { Intent } from '../words/intent.ts';

interface RequestLines {
  readonly intent: Intent;
  readonly persona: string;
  readonly tools: readonly string[];
  readonly dream: boolean;
}

const longest = 1_600;
const longestPart = 200;

/** Tokens reserved for these lines and the block's markers. */
export const requestAllowance = Math.ceil((longest + 40) / 4);

export function turnRequestText({ intent, persona, tools, dream }: RequestLines): string {
  const { target, constraint, steps } = intent;
  const limits = Object.entries(constraint ?? {}).map(([kind, text]) => `${kind}: ${part(text)}`);
  const lines = [
    `This request: ${intent.verb} (${intent.category}), served as ${persona}.`,
    ...(target === undefined ? [] : [`About: ${part(target.text)}`]),
    ...(limits.length === 0 ? [] : [`Limits: ${limits.join('; ')}`]),
    ...steps
      .slice(0, 6)
      .map(
        ({ text, relation }, index) =>
          `Step ${index + 1}${index === 0 ? '' : ` (${relation})`}: ${part(text, 120)}`,
      ),
    ...(steps.length > 6 ? [`and ${steps.length - 6} further steps.`] : []),
    ...(dream
      ? ['Nothing may run: every tool call is refused.']
      : intent.readOnly
        ? ['Nothing may be changed: tools that write are refused.']
        : []),
    ...(intent.confirm === undefined || intent.readOnly ? [] : ['Agree with the person before the first change.']),
    ...(dream ? [] : [`For this request you use: ${tools.join(', ') || 'no tools'}.`]),
  ];
  return lines
    .join('\n')
    .replaceAll(/<\/?turn/gi, '<·turn')
    .slice(0, longest);
}

function part(text: string, length = longestPart): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
