/** Questions answered by a line, where there are no keys: a letter or a word for the usual answers. */
import type { Answer, QuestionSubject } from '../kernel/question.ts';
import { grantsText } from '../views/call-summary.ts';

export function choicesFor(about: QuestionSubject): string {
  switch (about.type) {
    case 'approval': {
      const what = grantsText(about.grants);
      const wider = what === '' ? '' : `[t] trust ${what} in this session  [a] always, in this project  `;
      return `[y] yes, once  ${wider}[n] no  or say why not:`;
    }
    case 'reply-review':
    case 'repeat':
      return '[y] yes  [n] no  or say why not:';
    case 'clarification':
      return about.options.length > 0
        ? about.options.map((option, index) => `[${index + 1}] ${option}`).join('  ')
        : '>';
    case 'form':
      return about.url === undefined ? 'answer as JSON:' : '[y] done  [n] no:';
  }
}

/** What a line says: a letter or a word for the usual answers, anything else is the reason of a no. */
export function answerFrom(about: QuestionSubject, said: string): Answer | undefined {
  if (said === '') return undefined;
  const word = said.toLowerCase();
  if (about.type === 'clarification') {
    const option = about.options[Number(said) - 1] ?? about.options.find((known) => known.toLowerCase() === word);
    return option === undefined ? { type: 'text', text: said } : { type: 'option', option };
  }
  if (about.type === 'form' && about.url === undefined) return formFrom(said);
  if (word === 'y' || word === 'yes') return { type: 'allow-once' };
  if (about.type === 'approval' && about.grants.length > 0) {
    if (word === 't' || word === 'trust') return { type: 'allow-session' };
    if (word === 'a' || word === 'always') return { type: 'allow-always' };
  }
  return word === 'n' || word === 'no' ? { type: 'reject' } : { type: 'reject', reason: said };
}

function formFrom(said: string): Answer | undefined {
  try {
    return { type: 'form', form: JSON.parse(said) as unknown };
  } catch {
    return undefined;
  }
}
