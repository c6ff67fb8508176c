/** An open question as painted lines, with everything that its call would run or change. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { isBlobRef, type Body } from '../../kernel/content.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { questionCard, type CardLine } from '../../wording/question-card.ts';
import type { TonePaint, Tone } from '../../wording/terminal-style.ts';

interface QuestionPlace {
  /** Reads a full text of which the journal holds the beginning. */
  readonly read: (body: Body) => Promise<string>;
  /** The session's folder. */
  readonly cwd: string;
  readonly paint: TonePaint;
  readonly answerBy: 'key' | 'command';
  readonly storeFlag?: string;
  /** How many changed lines to show. Default: all. */
  readonly most?: number;
}

export async function questionCardLines(
  question: OpenQuestion,
  { read, cwd, paint, ...rest }: QuestionPlace,
): Promise<readonly string[]> {
  const { args } = question;
  const whole = args !== undefined && isBlobRef(args) ? await read(args) : args;
  const before = await fileBefore(question, cwd);
  const card = questionCard(question, { ...rest, args: whole, before });
  return card.map(({ tone, text }) => paintedAs(tone, text, paint));
}

/**
 * The current file, for a diff; an empty text if it doesn't exist yet. Undefined if it isn't a small text with any
 * content: the card then shows the call's own description.
 */
export async function fileBefore({ about, facts }: OpenQuestion, cwd: string): Promise<string | undefined> {
  if (about.type !== 'approval' || (about.tool !== 'write' && about.tool !== 'edit')) return undefined;
  const [target] = facts?.paths ?? [];
  if (target === undefined || !target.inside) return undefined;
  const file = path.resolve(cwd, target.path);
  try {
    const { size } = await stat(file);
    const content = size === 0 || size > mostBytes ? undefined : await readFile(file, 'utf8');
    return content?.includes('\u0000') === true ? undefined : content;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined;
  }
}

const mostBytes = 1_000_000;

function paintedAs(tone: CardLine['tone'], text: string, paint: TonePaint): string {
  const style = tones[tone];
  return style === undefined ? text : paint[style](text);
}

const tones: Readonly<Record<CardLine['tone'], Tone | undefined>> = {
  heading: 'warning',
  plain: undefined,
  quiet: 'quiet',
  danger: 'bad',
  caution: 'warning',
  added: 'good',
  removed: 'bad',
};
