import type { Seals } from './seals.ts';

/** Codes that admit one browser, once, within ten minutes, on any node. */
export interface LoginCodes {
  make(): string;
  /** True on first use before expiry. */
  use(code: string): Promise<boolean>;
}

const lifeMs = 600_000;

export function createLoginCodes(seals: Seals): LoginCodes {
  return {
    make: () => seals.seal('login code', '', lifeMs),
    use: async (code) => (await seals.openOnce('login code', code)) !== undefined,
  };
}
