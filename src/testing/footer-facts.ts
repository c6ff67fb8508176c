import type { FooterFacts } from '../terminal/screen/footer.ts';

/** A footer of the drawn screens. */
export const footerFacts: FooterFacts = {
  mode: { name: 'ask', tone: 'plain' },
  model: 'claude-sonnet-5-5',
  isModelFailing: false,
  context: { tokens: 22_000, window: 100_000 },
  usage: { cost: 0.31, costIsKnown: true, unpricedCalls: 0 },
  costLimit: 2,
  project: 'lumen-shop',
  branch: 'cart-rounding',
  changes: { added: 26, removed: 8 },
  server: undefined,
  isLost: false,
};

/** The same later in that session. */
export const laterFacts: FooterFacts = {
  ...footerFacts,
  context: { tokens: 62_000, window: 100_000 },
  usage: { cost: 0.84, costIsKnown: true, unpricedCalls: 0 },
  changes: { added: 42, removed: 7 },
};
