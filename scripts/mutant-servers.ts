/** The servers of the tests of stores, for a whole mutation run: its vitest starts without the suite's set-up. */
import { sharedServerAddress } from '../test/fixtures/shared-server/address.ts';
import { setup as setUpNats } from '../test/fixtures/nats/global-setup.ts';
import { setup as setUpPostgres } from '../test/fixtures/postgres/global-setup.ts';

const servers = { RONDO_TEST_POSTGRES: setUpPostgres, RONDO_TEST_NATS: setUpNats };

/** Tests find the servers by these variables. Without one they skip or fail, and are left out. */
export async function startServers(): Promise<() => void> {
  const ends = await Promise.all(
    Object.entries(servers).map(async ([variable, setUp]) => {
      const end = setUp();
      const address = await sharedServerAddress(variable).catch((error: unknown) => {
        console.log(`No tests with ${variable}: ${String(error)}`);
      });
      if (address !== undefined) process.env[variable] = address;
      return end;
    }),
  );
  return () => ends.forEach((end) => end?.());
}
