// An owner in its own process: claims a session, appends without a pause, and says how far it is.
import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { first, record, request } from '../../src/testing/contracts/journal-samples.ts';

const [address = '', socketFolder = '', leaseMs = '2000'] = process.argv.slice(2);
const store = await openPostgresStore({ address, socketFolder, leaseMs: Number(leaseMs) });
const answer = await store.leases.claim(first);
if (answer.type !== 'claimed') throw new Error(`held by ${answer.owner?.id}`);
store.leases.onLost(() => process.stdout.write('lost\n'));
let { position } = answer.claim;
let seq = (await store.journal.head(first))?.seq ?? 0;
for (;;) {
  const appended = await store.journal.append(request(seq, [record(`event ${seq + 1}`)], { position }));
  if (appended.type !== 'appended') {
    process.stdout.write(`${JSON.stringify(appended)}\n`);
    break;
  }
  ({ position, seq } = appended);
  process.stdout.write(`${seq}\n`);
}
await store[Symbol.asyncDispose]();
