import type { Receipt } from '../ports/receipt.ts';
import type { CommandResult } from './command-result.ts';

/** The result of an input that changes the session. */
export function changed(receipt: Receipt, text: string): CommandResult {
  return receipt.type === 'accepted'
    ? { type: 'changed', text }
    : { type: 'refused', message: receipt.refusal.message };
}
