/**
 * The verbs that are there without any configuration. Commands are patterns, anchored to the start of a clause;
 * complaints and topics are synonyms, which count anywhere and weigh less. A question is `explain` unless a
 * verb of higher priority knows better, so patterns of lower verbs are held out of `explain` by name.
 */
import type { Verb, VerbTable } from './verb.ts';
import { askingVerbs } from './verbs/asking-verbs.ts';
import { changingVerbs } from './verbs/changing-verbs.ts';
import { reviewingVerbs } from './verbs/reviewing-verbs.ts';
import { settlingVerbs } from './verbs/settling-verbs.ts';
import { testingVerbs } from './verbs/testing-verbs.ts';

const all: readonly Verb[] = [
  ...reviewingVerbs,
  ...askingVerbs,
  ...changingVerbs,
  ...testingVerbs,
  ...settlingVerbs,
];

/** Words that are routed like another verb. */
const shippedAliases: ReadonlyMap<string, string> = new Map([
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

export const shippedVerbs: VerbTable = {
  verbs: new Map(all.map((verb) => [verb.name, verb])),
  aliases: shippedAliases,
};
