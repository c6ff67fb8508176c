/**
 * Estimates the tokens of a text by script and content: about four English letters per token, one token per Chinese
 * character or code symbol, and fewer characters per token for encoded data. It errs on the high side, because
 * limits depend on it. The provider's count calibrates it; see `tokenRatio`.
 */
export function tokensOfText(text: string): number {
  let sum = 0;
  let start = 0;
  let word = noWord;
  let before = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? asciiKinds.charCodeAt(code) - zero : noWord;
    if (kind === noWord) {
      if (word !== noWord) sum += wordWeight(index - start, word);
      word = noWord;
      sum += code < 128 ? asciiWeight(code, before) : weightBeyondAscii(code);
    } else {
      if (word === noWord) start = index;
      word |= kind;
    }
    before = code;
  }
  if (word !== noWord) sum += wordWeight(text.length - start, word);
  return Math.ceil(sum / scale);
}

/** Weights are hundredths of a token, so that sums are exact. */
const scale = 100;
const letterWeight = 25;
const digitWeight = 40;
const symbolWeight = 80;
const joinedWeight = 20;
const encodedWeight = 70;

const zero = 48;

/** The kinds of characters in a word, as bits. */
const noWord = 0;
const lower = 1;
const upper = 2;
const digit = 4;

/** The bit of each ASCII character's kind. */
const asciiKinds = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return lower;
  if (/[A-Z]/.test(character)) return upper;
  return /\d/.test(character) ? digit : noWord;
}).join('');

/** A long word of letters and digits is a key, a hash or base64. */
function wordWeight(length: number, kinds: number): number {
  if (length >= longWord && kinds > digit) return length * encodedWeight;
  return length * (kinds === digit ? digitWeight : letterWeight);
}

const longWord = 20;

/** Indentation of any length is at most one token; so are adjacent symbols such as `);`. */
function asciiWeight(code: number, before: number): number {
  if (isBlank(code)) return isBlank(before) ? 5 : letterWeight;
  if (!isSymbol(code)) return letterWeight;
  return isSymbol(before) ? joinedWeight : symbolWeight;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function isSymbol(code: number): boolean {
  return code < 128 && asciiSymbols[code] === true;
}

/** Excludes the punctuation of prose. */
const asciiSymbols = Array.from(
  { length: 128 },
  (_, code) => code > 32 && /[^A-Za-z\d.,'"!?-]/.test(String.fromCharCode(code)),
);

function weightBeyondAscii(code: number): number {
  // Latin with accents, Greek, Cyrillic.
  if (code < 0x5_30) return 50;
  // Hebrew, Arabic, the scripts of India and South-East Asia.
  if (code < 0x20_00) return 75;
  // Typographic quotes, dashes, arrows, boxes; Japanese syllables.
  if (code < 0x31_00) return 100;
  // Chinese characters, and the Korean syllables behind them.
  return 120;
}
