/** What fills the model's window, as a bar and as figures. */
import type { ContextPart, ContextShare } from '../../views/context-share.ts';
import type { Terminal, Tone } from '../terminal.ts';

const barWidth = 60;

const shown: Readonly<
  Record<ContextPart['name'], { readonly words: string; readonly mark: string; readonly tone: Tone }>
> = {
  system: { words: 'system and tools', mark: '█', tone: 'quiet' },
  summary: { words: 'summary', mark: '▓', tone: 'warning' },
  user: { words: 'user', mark: '▒', tone: 'strong' },
  assistant: { words: 'assistant', mark: '▄', tone: 'accent' },
  tools: { words: 'tool results', mark: '░', tone: 'good' },
  notices: { words: 'notices', mark: '▪', tone: 'quiet' },
};

export function contextLines(
  { tokens, window, isCounted, parts }: ContextShare,
  { paint }: Terminal,
): readonly string[] {
  const whole = Math.max(window ?? tokens, tokens, 1);
  const filled = parts.filter((part) => part.tokens > 0);
  const bar = filled.map(({ name, tokens: share }) => {
    const { mark, tone } = shown[name];
    return {
      width: Math.round((share / whole) * barWidth),
      text: (width: number) => paint[tone](mark.repeat(width)),
    };
  });
  const taken = bar.reduce((sum, { width }) => sum + width, 0);
  const free = Math.max(0, barWidth - taken);
  const of = window === undefined ? 'a window of unknown size' : `${window.toLocaleString('en')} tokens`;
  const how = isCounted ? 'counted by the provider up to its last call' : 'estimated';
  return [
    `${tokens.toLocaleString('en')} of ${of}${window === undefined ? '' : ` (${percent(tokens, window)})`}, ${how}`,
    `[${bar.map(({ width, text }) => text(width)).join('')}${paint.quiet('·'.repeat(free))}]`,
    ...filled.map(({ name, tokens: share }) =>
      line(paint[shown[name].tone](shown[name].mark), shown[name].words, share, whole),
    ),
    ...(window === undefined ? [] : [line(paint.quiet('·'), 'free', Math.max(0, window - tokens), whole)]),
  ];
}

function line(mark: string, words: string, tokens: number, whole: number): string {
  return `${mark} ${words.padEnd(17)} ${tokens.toLocaleString('en').padStart(11)}  ${percent(tokens, whole).padStart(5)}`;
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)} %`;
}
