/**
 * Stores the numbers of each terminal's last `rondo inbox`, so that `rondo answer 2 allow` refers to what was on that
 * screen. In doubt a number is refused: it could answer another request.
 */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';
import type { QuestionId } from '../../kernel/ids.ts';
import { homeFolder } from '../home.ts';
import { usageError } from '../usage-error.ts';
import { ownTerminal } from './own-terminal.ts';

interface Listing {
  readonly terminal: string;
  readonly at: number;
  readonly questions: readonly QuestionId[];
}

/** Long enough to read and answer. Later, the user may have forgotten what a number means. */
const validMs = 10 * 60_000;

/** Without a terminal, nobody types a number. */
export async function keepListing(questions: readonly QuestionId[]): Promise<void> {
  const terminal = ownTerminal();
  if (terminal === undefined) return;
  const at = Date.now();
  await updatePrivateJson(listingFile(), (kept) => {
    const others = validOf(kept, at).filter((other) => other.terminal !== terminal);
    return { listings: [...others, { terminal, at, questions }] };
  });
}

/** Resolves a number to the question's id. Returns any other text as an id. */
export async function numberedQuestion(given: string): Promise<string> {
  if (!/^[1-9]\d{0,3}$/.test(given)) return given;
  const terminal = ownTerminal();
  if (terminal === undefined) {
    throw usageError(
      `${given} is a number of a list on a terminal, and this is none. Use the id: rondo inbox | cat`,
    );
  }
  const listings = validOf(await readPrivateJson(listingFile()), Date.now());
  const own = listings.find((listing) => listing.terminal === terminal);
  const question = own?.questions[Number(given) - 1];
  if (own === undefined || question === undefined) {
    throw usageError(
      `number ${given} isn't in a list of this terminal of the last 10 minutes. List the questions again: rondo inbox`,
    );
  }
  if (listings.some((other) => other.at > own.at)) {
    const ids = own.questions.map((id, index) => `  ${index + 1}  ${id}`);
    throw usageError(
      `another terminal listed its questions after this one. Use the id, or list them again: rondo inbox\n${ids.join('\n')}`,
    );
  }
  return question;
}

function validOf(kept: unknown, now: number): readonly Listing[] {
  const { listings = [] } = (kept ?? {}) as { readonly listings?: readonly Listing[] };
  return listings.filter(({ at }) => now - at <= validMs);
}

function listingFile(): string {
  return path.join(homeFolder(), 'inbox.json');
}
