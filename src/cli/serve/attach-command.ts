/** `rondo attach`: one session of a running server in this terminal. Leaving it changes nothing. */
import { createClient, type Client } from '../../client/client.ts';
import type { Command } from '../command.ts';
import { homeFolder } from '../home.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { usageError } from '../usage-error.ts';
import { createAttachView } from './attach-view.ts';
import { steerByLines } from './attach-lines.ts';
import { findServedSession } from './find-served-session.ts';
import { existingOwnerToken } from './owner-token.ts';
import { findServer } from './running-server.ts';

const options = {
  url: { type: 'string', value: 'URL', help: 'server URL (default: the server running here)' },
  token: { type: 'string', value: 'TOKEN', help: "access token (default: RONDO_TOKEN, then the owner's)" },
  after: { type: 'string', value: 'SEQ', help: 'show all events after this one, not just the last page' },
  ...jsonOption,
  ...commonOptions,
} as const;

export const attachCommand: Command = {
  usage: ['attach SESSION'],
  about: `Follows a session on a running server and sends it your lines. While a question is open, a line answers it:
y, n, t (trust in this session), a (always), or the answer itself. /cancel stops the turn, /exit leaves;
leaving stops nothing. With --json every line in and out is one JSON object.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (given === undefined) throw usageError('which session? `rondo ls` lists them');
    const home = homeFolder();
    const url = values.url ?? (await findServer(home))?.url;
    if (url === undefined)
      throw usageError('no server is running here; start one with `rondo serve` or pass --url');
    const token = values.token ?? process.env['RONDO_TOKEN'] ?? (await existingOwnerToken(home));
    const after = values.after === undefined ? undefined : Number(values.after);
    if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
      throw usageError(`--after must be an event number of 0 or more, not "${values.after}"`);
    const session = await findServedSession(given, url, token);
    return attach(session, {
      url,
      isJson: values.json === true,
      ...(token !== undefined && { token }),
      ...(after !== undefined && { after }),
    });
  },
};

interface Attaching {
  readonly url: string;
  readonly token?: string;
  readonly isJson: boolean;
  readonly after?: number;
}

async function attach(session: string, { url, token, isJson, after }: Attaching): Promise<number> {
  const over = Promise.withResolvers<number>();
  const view = createAttachView({
    isJson,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  });
  const client: Client = createClient({
    url,
    name: 'rondo attach',
    ...(token !== undefined && { token }),
    onConnection(state) {
      view.connection(state);
      if (state.type === 'closed' && state.code !== undefined) over.resolve(1);
    },
  });
  client.follow(
    session,
    {
      update: (update) => view.update(update),
      problem({ message }) {
        console.error(`rondo attach: ${message}`);
        over.resolve(2);
      },
    },
    after === undefined ? {} : { after },
  );
  const stopReading = steerByLines({ client, session, view, isJson, leave: () => over.resolve(0) });
  process.once('SIGINT', () => over.resolve(0));
  const code = await over.promise;
  stopReading();
  client.close();
  return code;
}
