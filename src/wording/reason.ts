/**
 * Why a call needs approval, in the words of today. Journals record the sentence of the policy, and a replay compares
 * it, so the recorded sentence stays as it is.
 */
export function reasonText(reason: string): string {
  return reason === 'No rule allows this, so a person decides.'
    ? 'No rule covers it, so it needs your approval.'
    : reason;
}
