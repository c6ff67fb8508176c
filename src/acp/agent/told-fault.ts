import { RequestError } from '@agentclientprotocol/sdk';

import { Fault } from '../../kernel/fault.ts';

/** A fault that a person can do something about is told; others stay what they are. */
export async function tellingFaults<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw RequestError.invalidRequest({ code: error.code }, error.message);
    throw error;
  }
}
