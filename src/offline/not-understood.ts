import type { OfflineRequest } from './offline-request.ts';
import { code, shortened } from './markdown.ts';
import type { PlanEnd } from './plan.ts';
import type { OfflineSkill } from './skill.ts';

/** Verbs that require reasoning. */
const thinking = new Set(
  'review review_enhance security analyze audit lint research debug fix refactor optimize implement modify migrate scaffold document write format cover benchmark profile campaign init learn configure dream git'.split(
    ' ',
  ),
);

/** Says that the request isn't understood, and suggests the nearest skills. */
export function notUnderstood(request: OfflineRequest, skills: readonly OfflineSkill[]): PlanEnd {
  const { words, verb, isKnown, path } = request;
  const opening =
    isKnown && thinking.has(verb)
      ? `I'm Rondo's offline model, not a language model, so I can't do that (${code(shortened(words, 60))}). I only carry out exact requests.`
      : `I did not understand ${code(shortened(words, 60))}. I'm Rondo's offline model: rules, not a language model.`;
  const nearest = nearestSkills(words, skills).map(
    ({ skill, examples }) => `- ${skill.does}: ${examples.map((example) => `“${example}”`).join(' or ')}`,
  );
  return {
    ok: false,
    unserved: true,
    text: [
      opening,
      ...(path === undefined ? [] : [`To look at it: \`explain ${path}\` or \`show ${path}\`.`]),
      ...(nearest.length === 0 ? [] : [`**What I can do that comes nearest**\n${nearest.join('\n')}`]),
      'Say `help` for the whole list and for how to connect a language model.',
    ].join('\n\n'),
  };
}

/** Words without information about the request. */
const common = new Set(
  'a an the to of in on for with and or is are it this that me my our you please can do does did what which how who why when where i we all some any there here your give get make tell want need would could should be has have had from at by as if not no so up out'.split(
    ' ',
  ),
);

interface Near {
  readonly skill: OfflineSkill;
  readonly examples: readonly string[];
}

/** Skills that share a distinctive word with the request. No suggestion is better than an unrelated one. */
function nearestSkills(words: string, skills: readonly OfflineSkill[]): readonly Near[] {
  const vocabulary = wordsOf(words);
  const existing = skills.map((skill) => ({
    skill,
    words: wordsOf([skill.name, skill.does, ...skill.examples].join(' ')),
  }));
  const rarity = (word: string): number => {
    const count = existing.filter((each) => each.words.has(word)).length;
    return count === 0 ? 0 : 1 / count;
  };
  const scoreOf = (other: ReadonlySet<string>): number =>
    [...vocabulary].reduce((sum, word) => sum + (other.has(word) ? rarity(word) : 0), 0);
  return existing
    .map(({ skill, words: own }) => ({ skill, score: scoreOf(own) }))
    .filter(({ score }) => score >= 0.25)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ skill }) => ({
      skill,
      examples: skill.examples.toSorted((a, b) => scoreOf(wordsOf(b)) - scoreOf(wordsOf(a))).slice(0, 2),
    }));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    (
      wordsOnly(text)
        .toLowerCase()
        .match(/[a-z]{2,}/g) ?? []
    )
      .filter((word) => !common.has(word))
      .map((word) => word.replace(/(?:ing|ies|es|s|ed)$/, '')),
  );
}

/** Quoted text and file names are the subject of a request, not the task. */
function wordsOnly(text: string): string {
  const unquoted = text.replaceAll(/"[^"]*"|`[^`]*`/g, ' ');
  // Word by word: one expression for the whole text takes minutes for a word of a megabyte.
  return unquoted
    .split(/\s+/)
    .filter((word) => !/[./]\w/.test(word))
    .join(' ');
}
