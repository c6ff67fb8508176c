/** Corrects typos in the word that states what to do. Never changes ordinary English words. */
import { editDistance } from '../../kernel/nearest-name.ts';

const commands: readonly string[] = [
  'add analyze analyse assess audit benchmark build bump change check clean commit compare convert',
  'correct count create debug delete describe document draft edit ensure explain explore extract find',
  'fix format generate implement improve increase initialize integrate investigate learn lint measure',
  'merge migrate modify move open optimize optimise profile push read refactor remove rename repair',
  'replace research resolve restructure revert review rewrite run scaffold search security show',
  'simplify simulate split suggest summarize test tests troubleshoot undo update upgrade validate',
  'verify write comments coverage documentation dependencies vulnerabilities',
].flatMap((line) => line.split(' '));

/** Ordinary words that are one typo away from a command, and abbreviations that aren't commands. */
const ordinary: ReadonlySet<string> = new Set(
  [
    'text rest best next past last list road real head dead ready find kind mind wind fine ran rub sun',
    'fun gun six mix fax and ads aid any all are is it its in on the this that them they then than there',
    'these those what when where which who why how can could would should will shall may might does did',
    'has have had was were been being love more most much many some same made make take save give gives',
    'live code mode model note name game term form from show slow snow know now row with white quite site',
    'side size bill pull bush pushed open opens upon over lines line link print point hint clear learn',
    'lean mean great treat check chunk clean crate tests users user used uses use server page file files',
    'class data date dates logs help hello hey thanks thank good new set get let put cut but out our your',
    'you we us my me no not nor for of or at an as be by do drop port sort git grep cat npm rm ls cd tag',
    'turn look keep stop start stash audio edits credit exit wrote walk talk task tasks fixed fixes',
    'fixing adding added adds running runs deleted created creates updates updated changes changed tested',
    'delegate delegates distribute append locate hand spawn execute testing reviews reviewed reviewer cover call calls cache case',
  ].flatMap((line) => line.split(' ')),
);

/** Phrases with misplaced spaces, and words too short to compare by distance. */
const slips: readonly (readonly [part: string, slip: RegExp, right: string])[] = [
  ['t he', /\bruns? ?t he\b|\brunt he\b/g, 'run the'],
  ['on earth ', /\bon earth /g, ''],
  ['the he', /\bthe (?:hell|heck) /g, ''],
  ['teh', /\bteh\b/g, 'the'],
  ['hte', /\bhte\b/g, 'the'],
  ['wat', /\bwat\b/g, 'what'],
  ['comit', /\bcomit(s|ted|ting)?\b/g, 'commit$1'],
  ['crate ', /^crate (?=an? |the |new )/g, 'create '],
  ['ad ', /^ad (?=an? |the |some |new )/g, 'add '],
];

const openingWords = 4;

export function correctOpening(clause: string): string {
  let text = clause;
  for (const [part, slip, right] of slips) if (text.includes(part)) text = text.replaceAll(slip, right);
  const words = text.split(' ');
  const corrected = words.slice(0, openingWords).map((word, index) => correctWord(word, index));
  return [...corrected, ...words.slice(openingWords)].join(' ');
}

/** The word that opens a request, with a typo corrected. */
export function correctCommand(word: string): string {
  return correctWord(word, 0);
}

function correctWord(word: string, index: number): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word) || ordinary.has(word) || names.has(word)) return word;
  // After the first word, only long words are safe to change.
  if (index > 0 && word.length < 6) return word;
  const allowed = word.length >= 8 ? 2 : 1;
  let best: string | undefined;
  let least = allowed + 1;
  for (const command of commands) {
    if (command[0] !== word[0] || Math.abs(command.length - word.length) > allowed) continue;
    const distance = editDistance(word, command);
    if (distance > 1 && destroying.has(command)) continue;
    // A short word must have the same letters in another order.
    if (word.length <= 4 && command.length !== word.length + 1 && !isTransposed(word, command)) continue;
    if (distance < least) {
      least = distance;
      best = command;
    }
  }
  return best ?? word;
}

const names: ReadonlySet<string> = new Set(commands);
/** No word is corrected to one of these by similarity alone: "delegate" isn't "delete". */
const destroying: ReadonlySet<string> = new Set(['delete', 'remove', 'revert', 'undo', 'replace']);

function isTransposed(a: string, b: string): boolean {
  return a.length === b.length && Array.from(a).toSorted().join('') === Array.from(b).toSorted().join('');
}
