/** Stores the numbers of the last `rondo inbox`, so that `rondo answer 2 allow` refers to what was on screen. */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';
import type { QuestionId } from '../../kernel/ids.ts';
import { homeFolder } from '../home.ts';
import { usageError } from '../usage-error.ts';

interface Listing {
  readonly at: number;
  readonly questions: readonly QuestionId[];
}

/** Long enough to read and answer. Later, the user may have forgotten what a number means. */
const validMs = 10 * 60_000;

export async function keepListing(questions: readonly QuestionId[]): Promise<void> {
  const listing: Listing = { at: Date.now(), questions };
  await updatePrivateJson(listingFile(), () => listing);
}

/** Resolves a number to the question's id. Returns any other text as an id. */
export async function numberedQuestion(given: string): Promise<string> {
  if (!/^[1-9]\d{0,3}$/.test(given)) return given;
  const listing = (await readPrivateJson(listingFile())) as Listing | undefined;
  const question = listing?.questions[Number(given) - 1];
  if (listing === undefined || question === undefined || Date.now() - listing.at > validMs) {
    throw usageError(
      `number ${given} isn't in a listing of the last 10 minutes. List the questions again: rondo inbox`,
    );
  }
  return question;
}

function listingFile(): string {
  return path.join(homeFolder(), 'inbox.json');
}
