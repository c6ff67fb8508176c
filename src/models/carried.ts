/**
 * Opaque data that a provider expects back with the conversation: signatures of its thinking and data of its tool
 * calls. The reply already holds the thinking text, so this stores only the lengths of its blocks and their data.
 */
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';

export interface Carried {
  readonly reasoning: readonly { readonly length: number; readonly data?: SharedV4ProviderMetadata }[];
  readonly calls: Readonly<Record<string, SharedV4ProviderMetadata>>;
}

interface Carrying {
  block(id: string, data: SharedV4ProviderMetadata | undefined): void;
  grew(id: string, by: number, data: SharedV4ProviderMetadata | undefined): void;
  call(id: string, data: SharedV4ProviderMetadata | undefined): void;
  /** Undefined if there is nothing to send back. */
  carried(): Carried | undefined;
}

export function createCarrying(): Carrying {
  const blocks = new Map<string, { length: number; data?: SharedV4ProviderMetadata }>();
  const calls: Record<string, SharedV4ProviderMetadata> = {};
  const blockOf = (id: string) => {
    const block = blocks.get(id) ?? { length: 0 };
    blocks.set(id, block);
    return block;
  };
  const grew: Carrying['grew'] = (id, by, data) => {
    const block = blockOf(id);
    block.length += by;
    if (data !== undefined) block.data = { ...block.data, ...data };
  };
  return {
    block: (id, data) => grew(id, 0, data),
    grew,
    call(id, data) {
      if (data !== undefined) calls[id] = data;
    },
    carried() {
      const reasoning = [...blocks.values()].map(({ length, data }) =>
        data !== undefined && isWhole(data) ? { length, data } : { length },
      );
      const isEmpty = reasoning.every((block) => !('data' in block)) && Object.keys(calls).length === 0;
      return isEmpty ? undefined : { reasoning, calls };
    },
  };
}

/** A block with an empty field can't be sent back: the provider would reject it. */
function isWhole(data: SharedV4ProviderMetadata): boolean {
  return Object.values(data).every((fields) => Object.values(fields).every((value) => value !== null));
}

/** The value read from the journal, if it has the expected shape. */
export function carriedFrom(carry: unknown): Carried | undefined {
  if (typeof carry !== 'object' || carry === null || !('reasoning' in carry) || !('calls' in carry))
    return undefined;
  return Array.isArray(carry.reasoning) ? (carry as Carried) : undefined;
}
