import type { Asked } from './asked.ts';
import { code, shortened } from './markdown.ts';
import type { Told } from './plan.ts';
import type { Skill } from './skill.ts';

/** Verbs that mean thinking about code or the world. */
const thinking = new Set(
  'review review_enhance security analyze audit lint research debug fix refactor optimize implement modify migrate scaffold document write format cover benchmark profile campaign init learn configure dream git'.split(
    ' ',
  ),
);

/** Says so plainly, and what comes nearest. */
export function notUnderstood(asked: Asked, skills: readonly Skill[]): Told {
  const { words, verb, isKnown } = asked;
  const opening =
    isKnown && thinking.has(verb)
      ? `I am Rondo's offline model, and no language model: I cannot do that (${code(shortened(words, 60))}). I only carry out requests that are stated exactly.`
      : `I did not understand ${code(shortened(words, 60))}. I am Rondo's offline model: rules, no language model.`;
  const nearest = nearestSkills(words, skills).map(
    ({ does, examples }) =>
      `- ${does}: ${examples
        .slice(0, 2)
        .map((example) => `“${example}”`)
        .join(' or ')}`,
  );
  return {
    ok: false,
    text: [
      opening,
      `**What I can do that comes nearest**\n${nearest.join('\n')}`,
      'Say `help` for the whole list and for how to connect a language model.',
    ].join('\n\n'),
  };
}

const common = new Set(
  'a an the to of in on for with and or is are it this that me my our you please can do does what how i we all some there'.split(
    ' ',
  ),
);

function nearestSkills(words: string, skills: readonly Skill[]): readonly Skill[] {
  const said = wordsOf(words);
  const scored = skills.map((skill) => {
    const known = wordsOf([skill.name, skill.does, ...skill.examples].join(' '));
    return { skill, score: [...said].filter((word) => known.has(word)).length };
  });
  const best = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  const usual = scored.filter(({ skill }) =>
    ['look around', 'search text', 'explain a file'].includes(skill.name),
  );
  return [...new Set([...best, ...usual].map(({ skill }) => skill))].slice(0, 3);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    (text.toLowerCase().match(/[a-z]{2,}/g) ?? [])
      .map((word) => word.replace(/(?:ing|es|s)$/, ''))
      .filter((word) => !common.has(word)),
  );
}
