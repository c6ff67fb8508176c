/**
 * The built-in verbs. Commands are patterns, anchored to the start of a clause. Complaints and topics are synonyms,
 * which count anywhere and weigh less. A question is `explain` unless a verb of higher priority matches, so
 * `explain` excludes patterns of lower verbs by name.
 */
import type { Verb } from '../words/verb.ts';
import { askingVerbs } from './asking-verbs.ts';
import { changingVerbs } from './changing-verbs.ts';
import { reviewingVerbs } from './reviewing-verbs.ts';
import { settlingVerbs } from './settling-verbs.ts';
import { testingVerbs } from './testing-verbs.ts';

const list: readonly Verb[] = [
  ...reviewingVerbs,
  ...askingVerbs,
  ...changingVerbs,
  ...testingVerbs,
  ...settlingVerbs,
];

export const allVerbs: ReadonlyMap<string, Verb> = new Map(list.map((verb) => [verb.name, verb]));

/** Words that route like another verb. */
export const verbAliases: ReadonlyMap<string, string> = new Map([
  ['add', 'implement'],
  ['new', 'create'],
  ['generate', 'create'],
  ['update', 'modify'],
  ['change', 'modify'],
  ['edit', 'modify'],
  ['patch', 'modify'],
  ['remove', 'delete'],
  ['validate', 'verify'],
  ['check', 'review'],
  ['inspect', 'review'],
  ['understand', 'explore'],
  ['find', 'search'],
]);
