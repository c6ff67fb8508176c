import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';

import { isCommand } from '../../commands/registry.ts';
import { usageError } from '../usage-error.ts';
import { readPiped, standardInputKind } from './piped-input.ts';
import type { RunCommandOptions } from './run-options.ts';

/** The prompts of a run, in order. Empty if a session is only resumed. */
export async function promptsOf({
  prompt,
  prompts,
  session,
  mode,
}: RunCommandOptions): Promise<readonly string[]> {
  if (prompts !== undefined) {
    const list = promptsIn(prompts === '-' ? await readAll(process.stdin) : await textOf(prompts));
    if (list.length === 0)
      throw usageError(`--prompts ${prompts} has no prompts; separate prompts with blank lines`);
    return list;
  }
  if (prompt === '-') {
    const read = (await readAll(process.stdin)).trim();
    if (read === '') throw usageError('standard input had no prompt; pipe one in, or pass it in quotes');
    return mode === 'repl' ? linesIn(read) : [read];
  }
  if (prompt !== undefined) {
    if (prompt.trim() === '') throw usageError('the prompt is empty; describe the task');
    return [isCommand(prompt) ? prompt : await withPiped(prompt)];
  }
  if (session !== undefined) return [];
  throw usageError('prompt missing: pass one, use "-" to read standard input, or --session to resume');
}

/** Appends piped input to the prompt. */
async function withPiped(prompt: string): Promise<string> {
  const kind = standardInputKind();
  const piped = await readPiped({ kind, stream: process.stdin, tell: (line) => console.error(line) });
  return piped === '' ? prompt : `${prompt}\n\n${piped}`;
}

/** A prompt may have several lines. A blank line ends it. */
function promptsIn(text: string): readonly string[] {
  return text
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((prompt) => prompt.trim())
    .filter((prompt) => prompt !== '');
}

/** One prompt per line, as if typed. */
function linesIn(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`can't read --prompts ${file}: ${(error as Error).message}`);
  }
}
