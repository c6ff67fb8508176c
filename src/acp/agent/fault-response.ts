import { RequestError } from '@agentclientprotocol/sdk';

import { Fault } from '../../kernel/fault.ts';

/** Reports a fault to the client with its message. Other errors pass through. */
export async function tellingFaults<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw RequestError.invalidRequest({ code: error.code }, error.message);
    throw error;
  }
}
