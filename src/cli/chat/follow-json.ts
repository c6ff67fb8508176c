/** A followed session for programs: every line in and out is one JSON object. */
import { createInterface } from 'node:readline';

import { createClient } from '../../client/client.ts';
import { optional } from '../../kernel/optional.ts';
import type { WireAnswer, WireInput } from '../../protocol/input-schema.ts';

export interface FollowedServer {
  readonly url: string;
  readonly token: string | undefined;
}

export async function followJson(named: string, server: FollowedServer, after?: number): Promise<number> {
  const over = Promise.withResolvers<number>();
  const print = (value: object) => console.log(JSON.stringify(value));
  const client = createClient({
    url: server.url,
    name: 'rondo chat --follow',
    ...optional({ token: server.token }),
    onConnection(state) {
      print({ ...state, type: 'connection', state: state.type });
      if (state.type === 'closed' && state.code !== undefined) over.resolve(1);
    },
  });
  try {
    const { id } = await client.rondo.open(named);
    // Earlier output must still be read.
    using lines = createInterface({ input: process.stdin });
    client.follow(
      id,
      {
        update: print,
        problem({ message }) {
          console.error(`rondo chat: ${message}`);
          over.resolve(2);
        },
      },
      after === undefined ? {} : { after },
    );
    lines.on('line', (line) => {
      void take(line, id).catch((error: unknown) => print({ type: 'problem', message: (error as Error).message }));
    });
    process.once('SIGINT', () => over.resolve(0));
    return await over.promise;
  } finally {
    client.close();
  }

  async function take(line: string, session: string): Promise<void> {
    const value = JSON.parse(line) as
      | WireInput
      | { readonly type: 'quit' }
      | { readonly type: 'answer'; readonly question: string; readonly answer: WireAnswer };
    if (value.type === 'quit') over.resolve(0);
    else if (value.type === 'answer') await client.answer(value.question, value.answer);
    else await client.send(session, value);
  }
}
