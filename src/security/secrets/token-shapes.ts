/** A kind of credential recognizable by its shape: a fixed prefix and a pattern for the rest. */
type TokenShape = { readonly opens: string; readonly body: string };

const SHAPES: readonly TokenShape[] = [
  { opens: 'sk-', body: '[A-Za-z0-9_-]{16,}' },
  { opens: 'ghp_', body: '[A-Za-z0-9]{36,}' },
  { opens: 'gho_', body: '[A-Za-z0-9]{36,}' },
  { opens: 'ghu_', body: '[A-Za-z0-9]{36,}' },
  { opens: 'ghs_', body: '[A-Za-z0-9]{36,}' },
  { opens: 'ghr_', body: '[A-Za-z0-9]{36,}' },
  { opens: 'github_pat_', body: '[A-Za-z0-9_]{22,}' },
  { opens: 'glpat-', body: '[A-Za-z0-9_-]{20,}' },
  { opens: 'AKIA', body: '[A-Z0-9]{16}(?![A-Za-z0-9_])' },
  { opens: 'ASIA', body: '[A-Z0-9]{16}(?![A-Za-z0-9_])' },
  { opens: 'xox', body: '[abeoprs]-[A-Za-z0-9-]{10,}' },
  { opens: 'xapp-', body: '[A-Za-z0-9-]{10,}' },
  { opens: 'AIza', body: '[A-Za-z0-9_-]{35,}' },
  { opens: 'ya29.', body: '[A-Za-z0-9_-]{20,}' },
  { opens: 'sk_', body: '(?:live|test)_[A-Za-z0-9]{16,}' },
  { opens: 'rk_', body: '(?:live|test)_[A-Za-z0-9]{16,}' },
  { opens: 'npm_', body: '[A-Za-z0-9]{36,}' },
  { opens: 'hf_', body: '[A-Za-z0-9]{30,}' },
  { opens: 'pypi-', body: '[A-Za-z0-9_-]{50,}' },
  { opens: 'SG.', body: '[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{32,}' },
  { opens: 'dop_v1_', body: '[a-f0-9]{64,}' },
  { opens: 'eyJ', body: '[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}' },
];

const PRIVATE_KEY_OPENS = '-----BEGIN ';
const PRIVATE_KEY =
  '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)';

/** Pattern source for all shapes. A match that touches the end of the text may be incomplete. */
export const TOKEN_PATTERN = `(?<![A-Za-z0-9_])(?:${SHAPES.map(({ opens, body }) => `${escapeRegExp(opens)}${body}`).join('|')})|${PRIVATE_KEY}`;

/** The fixed prefixes of the shapes. */
export const TOKEN_OPENINGS: readonly string[] = [...SHAPES.map(({ opens }) => opens), PRIVATE_KEY_OPENS];

/** Matches an incomplete shape at the end of the text. */
export const UNFINISHED_TOKEN = new RegExp(
  `(?<![A-Za-z0-9_])(?:${SHAPES.map(({ opens }) => escapeRegExp(opens)).join('|')})[A-Za-z0-9_.-]*$|-----BEGIN [A-Z0-9 -]{0,60}$`,
  'g',
);

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
