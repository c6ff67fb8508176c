import { createLocalClient } from '../assembly/local-client.ts';
import { createRondo } from '../rondo.ts';
import { commandsCatalog, commandsContract, commandsRondo } from '../testing/contracts/commands-contract.ts';

commandsContract('in this process', async () => {
  const rondo = await createRondo(commandsRondo);
  const by = { type: 'person', name: 'tester' } as const;
  return {
    rondo: createLocalClient({ rondo, catalog: commandsCatalog, cwd: process.cwd(), by }),
    [Symbol.asyncDispose]: () => rondo.close(),
  };
});
