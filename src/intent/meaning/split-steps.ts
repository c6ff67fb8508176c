/** Splits a request into steps at connectors. A piece without anything to do belongs to the step before it. */
import type { StepRelation } from '../words/intent.ts';
import { maskText } from './prepare-text.ts';

interface StepText {
  readonly text: string;
  readonly relation: StepRelation;
}

const join = '(?:^|[,;.!?]\\s*(?:and\\s+)?|\\s+and\\s+|\\s+)';
const pause = '(?:^|[,;.!?]\\s*(?:and\\s+|but\\s+)?|\\s+and\\s+)';
const connectors: readonly (readonly [StepRelation, string])[] = [
  [
    'conditional',
    `${join}(?:only\\s+)?(?:if|when|once|as soon as)\\s+(?:(?:all\\s+)?(?:the\\s+)?tests?|they|it|that|this|everything|all|the build|all of them)\\s+(?:all\\s+)?(?:pass(?:es)?|works?|succeeds?|is green|are green|goes? through|is ok|is fine|compiles?)\\s*[,:]?\\s*(?:then\\s+)?`,
  ],
  [
    'fallback',
    `${join}if\\s+(?:(?:any\\s+)?(?:of\\s+)?(?:the\\s+)?tests?|they|it|that|this|something|anything|the build|any of them)\\s+(?:fails?|does(?:n't| not) work|do(?:n't| not) pass|breaks?|goes wrong)\\s*[,:]?\\s*(?:then\\s+)?`,
  ],
  ['fallback', `${pause}(?:otherwise|or else|else|if not)\\s*[,:]?\\s+`],
  ['parallel', `${join}(?:at the same time|meanwhile|in parallel|simultaneously|in the meantime)\\s*[,:]?\\s+`],
  ['sequential', `${join}(?:and\\s+)?then\\s*[,:]?\\s+`],
  [
    'sequential',
    `${pause}(?:next|after that|afterwards|after which|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|last)\\s*[,:]?\\s+`,
  ],
];
const shape = new RegExp(connectors.map(([, text]) => `(${text})`).join('|'), 'gi');
/** A cheap first check: most requests contain none. */
const connecting: ReadonlySet<string> = new Set(
  'then next after afterwards finally lastly last first firstly second secondly third thirdly if when once soon else otherwise time meanwhile meantime parallel simultaneously'.split(
    ' ',
  ),
);
const word = /[a-z]+|\d[.)]/g;
const numbered = /(?:^|\s)(\d{1,2})[.)]\s+/g;

export function splitSteps(text: string): readonly StepText[] {
  const words = text.toLowerCase().match(word) ?? [];
  if (!words.some((each) => connecting.has(each) || isDigit(each))) {
    return [{ text: text.trim(), relation: 'sequential' }];
  }
  const masked = keepLength(text);
  const cuts = numberedCuts(masked);
  const steps = cuts.length > 1 ? cuts : connectorCuts(masked);
  if (steps.length === 0) return [{ text: text.trim(), relation: 'sequential' }];
  const pieces: StepText[] = [];
  const first = steps[0]?.start ?? 0;
  if (first > 0) pieces.push({ text: text.slice(0, first), relation: 'sequential' });
  for (const [index, { end, relation }] of steps.entries()) {
    pieces.push({ text: text.slice(end, steps[index + 1]?.start), relation });
  }
  return pieces
    .map(({ text: piece, relation }) => ({ text: piece.replace(/^[\s,;.]+|[\s,;]+$/g, ''), relation }))
    .filter(({ text: piece }) => piece !== '');
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly relation: StepRelation;
}

/** The digit in "2." or "2)". */
function isDigit(each: string): boolean {
  return each.endsWith('.') || each.endsWith(')');
}

function connectorCuts(text: string): readonly Cut[] {
  return [...text.matchAll(shape)].map((match) => {
    const group = match.slice(1).findIndex((each) => each !== undefined);
    return {
      start: match.index,
      end: match.index + match[0].length,
      relation: connectors[group]?.[0] ?? 'sequential',
    };
  });
}

function numberedCuts(text: string): readonly Cut[] {
  const cuts = [...text.matchAll(numbered)].filter((match, index) => Number(match[1]) === index + 1);
  return cuts.map((match) => ({ start: match.index, end: match.index + match[0].length, relation: 'sequential' }));
}

/** Masks quotes and paths so that they aren't split, and keeps all positions. */
function keepLength(text: string): string {
  return text.replaceAll(/"[^"\n]*"|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)|[^\s,;]*\/[^\s,;]*/g, (quoted) =>
    maskText(quoted) === quoted ? quoted : '·'.repeat(quoted.length),
  );
}
