import { journalContract } from '../../testing/contracts/journal-contract.ts';
import { leaseContract } from '../../testing/contracts/lease-contract.ts';
import { nodesContract } from '../../testing/contracts/nodes-contract.ts';
import { sqliteUnderTest } from '../../../test/fixtures/sqlite-under-test.ts';

const open = () => sqliteUnderTest('thread');
journalContract('SQLite, on the writer thread alone', open);
leaseContract('SQLite, on the writer thread alone', open);
nodesContract('SQLite, on the writer thread alone', open);
