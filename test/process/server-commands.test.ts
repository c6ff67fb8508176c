// The commands contract over the wire: `rondo/client` against a real server on loopback.
import { createClient } from '../../src/client/client.ts';
import {
  commandsCatalog,
  commandsContract,
  commandsRondo,
} from '../../src/testing/contracts/commands-contract.ts';
import { ownerToken, startTestServer } from './server-setup.ts';

commandsContract('over the wire', async () => {
  const { server, [Symbol.asyncDispose]: close } = await startTestServer({
    rondo: commandsRondo,
    server: { catalog: commandsCatalog },
  });
  const client = createClient({ url: server.url, token: ownerToken, name: 'test' });
  return {
    rondo: client.rondo,
    async [Symbol.asyncDispose]() {
      client.close();
      await close();
    },
  };
});
