import { randomBytes } from 'node:crypto';

/** Codes that admit one browser, once, within ten minutes. Kept in memory: a restart invalidates them. */
export interface LoginCodes {
  make(): string;
  /** True on first use before expiry. */
  use(code: string): boolean;
}

const lifeMs = 600_000;
const most = 100;

export function createLoginCodes(now: () => number): LoginCodes {
  const codes = new Map<string, number>();
  return {
    make() {
      const code = randomBytes(24).toString('base64url');
      codes.set(code, now() + lifeMs);
      const oldest = codes.keys().next().value;
      if (codes.size > most && oldest !== undefined) codes.delete(oldest);
      return code;
    },
    use(code) {
      const until = codes.get(code);
      codes.delete(code);
      return until !== undefined && until > now();
    },
  };
}
