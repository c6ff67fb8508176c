import { shippedPatternIndex } from './shipped-patterns.generated.ts';
import type { VerbTable } from '../words/verb.ts';
import { allVerbs, verbAliases } from '../verbs/all-verbs.ts';

export const shippedVerbs: VerbTable = { verbs: allVerbs, aliases: verbAliases, index: shippedPatternIndex };
