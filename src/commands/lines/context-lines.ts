/** The use of the model's context window, as a bar and as figures. */
import type { ContextPart, ContextShare } from '../../views/context-share.ts';
import { contextHeadline, contextPartWords } from '../../wording/context.ts';
import { grouped } from '../../wording/counted.ts';
import { percentText } from '../../wording/percent.ts';
import type { Terminal, Tone } from '../../wording/terminal-style.ts';

const barWidth = 60;

const marks: Readonly<Record<ContextPart['name'], { readonly mark: string; readonly tone: Tone }>> = {
  system: { mark: '█', tone: 'quiet' },
  summary: { mark: '▓', tone: 'warning' },
  user: { mark: '▒', tone: 'strong' },
  assistant: { mark: '▄', tone: 'accent' },
  tools: { mark: '░', tone: 'good' },
  notices: { mark: '▪', tone: 'quiet' },
};

export function contextLines(share: ContextShare, { paint }: Terminal): readonly string[] {
  const { tokens, window, parts } = share;
  const whole = Math.max(window ?? tokens, tokens, 1);
  const filled = parts.filter((part) => part.tokens > 0);
  const bar = filled.map(({ name, tokens: part }) => {
    const { mark, tone } = marks[name];
    return {
      width: Math.round((part / whole) * barWidth),
      text: (width: number) => paint[tone](mark.repeat(width)),
    };
  });
  const taken = bar.reduce((sum, { width }) => sum + width, 0);
  const free = Math.max(0, barWidth - taken);
  return [
    contextHeadline(share),
    `[${bar.map(({ width, text }) => text(width)).join('')}${paint.quiet('·'.repeat(free))}]`,
    ...filled.map(({ name, tokens: part }) =>
      line(paint[marks[name].tone](marks[name].mark), contextPartWords[name], part, whole),
    ),
    ...(window === undefined ? [] : [line(paint.quiet('·'), 'free', Math.max(0, window - tokens), whole)]),
  ];
}

function line(mark: string, words: string, tokens: number, whole: number): string {
  return `${mark} ${words.padEnd(17)} ${grouped(tokens).padStart(11)}  ${percentText(tokens, whole).padStart(4)}`;
}
