/**
 * Proves to another node for which person a request is made (`fleet.md`, Nodes). The node signs a short statement with
 * its key, and the other node finds the public key in the store.
 *
 * 1. A statement names one audience, one session, one person and that person's role. It holds for 60 seconds.
 * 2. It is accepted once. Each node remembers the statements that it accepted until they expire.
 * 3. Only living nodes are believed. A node that lost its lease signs for nobody.
 */
import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify, type KeyObject } from 'node:crypto';

import { z } from 'zod';

import type { RegisteredNode } from '../../ports/nodes.ts';
import { roles } from '../../protocol/http-schema.ts';

const lifeMs = 60_000;
/** How far the clocks of two nodes may differ. */
const skewMs = 5000;
const prefix = 'node';

const statementSchema = z.strictObject({
  /** Owner ids of the two nodes. */
  from: z.string().min(1).max(100),
  to: z.string().min(1).max(100),
  session: z.string().min(1).max(200),
  person: z.strictObject({
    type: z.enum(['person', 'program', 'agent', 'worker', 'system']),
    name: z.string().max(300),
  }),
  role: z.enum(roles),
  madeAt: z.number(),
  id: z.string().min(16).max(100),
});

type Statement = z.infer<typeof statementSchema>;

/** What one node says about the person for whom it asks. */
type Asserted = Pick<Statement, 'from' | 'session' | 'person' | 'role'>;

export interface NodeKey {
  /** 32 bytes, base64url. */
  readonly publicKey: string;
  assert(about: Asserted & Pick<Statement, 'to'>, now: number): string;
}

/** A new key for each process: a copied disk or backup holds none. */
export function createNodeKey(): NodeKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
    assert({ from, to, session, person, role }, madeAt) {
      const id = randomBytes(16).toString('base64url');
      const statement: Statement = { from, to, session, person, role, madeAt, id };
      const body = Buffer.from(JSON.stringify(statement)).toString('base64url');
      return `${prefix}.${body}.${sign(null, signedBytes(body), privateKey).toString('base64url')}`;
    },
  };
}

export function isAssertion(token: string): boolean {
  return token.startsWith(`${prefix}.`);
}

export interface AssertionCheck {
  /** What the node asserts, or why it isn't believed. */
  accept(token: string): Promise<Asserted | { readonly refused: string }>;
}

interface AssertionCheckParts {
  /** This node's owner id. */
  readonly self: string;
  readonly find: (owner: string) => Promise<RegisteredNode | undefined>;
  readonly now: () => number;
}

export function createAssertionCheck({ self, find, now }: AssertionCheckParts): AssertionCheck {
  const accepted = new Map<string, number>();

  return {
    async accept(token) {
      const [, body = '', signature = ''] = token.split('.');
      const statement = statementIn(body);
      if (statement === undefined) return { refused: "It isn't a statement of a node." };
      const { from, to, session, person, role, madeAt, id } = statement;
      if (to !== self) return { refused: 'It is meant for another node.' };
      const node = await find(from);
      if (node?.isAlive !== true) return { refused: `No living node has the owner id ${from}.` };
      if (!isSigned(node.publicKey, body, signature)) return { refused: `Node ${node.name} didn't sign it.` };
      const age = now() - madeAt;
      if (age > lifeMs || age < -skewMs) {
        return { refused: `It was made ${Math.round(age / 1000)} s ago. Check the clocks of both nodes.` };
      }
      for (const [old, at] of accepted) if (now() - at > lifeMs + skewMs) accepted.delete(old);
      if (accepted.has(id)) return { refused: 'It was used before.' };
      accepted.set(id, madeAt);
      return { from, session, person, role };
    },
  };
}

function statementIn(body: string): Statement | undefined {
  try {
    return statementSchema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function isSigned(publicKey: string, body: string, signature: string): boolean {
  try {
    return verify(null, signedBytes(body), keyFrom(publicKey), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function keyFrom(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** The purpose is signed too, so that a signature serves no other one. */
function signedBytes(body: string): Buffer {
  return Buffer.from(`rondo node assertion 1\n${body}`);
}
