/**
 * One measurement in a separate process: `node bench/child.ts <name> <json>`. The last line it prints is the
 * result.
 */
import { writeSync } from 'node:fs';

import { waitedShareSoFar } from './harness/contention.ts';
import { measurements, type MeasurementName } from './measurements.ts';

const [name = '', argument = '{}'] = process.argv.slice(2);
if (!Object.hasOwn(measurements, name)) {
  console.error(`Unknown measurement ${name}. Known: ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}
const measure = (await measurements[name as MeasurementName]()) as (given: unknown) => Promise<object>;
const result = await measure(JSON.parse(argument));
writeSync(1, `${JSON.stringify({ ...result, waitedShare: waitedShareSoFar() })}\n`);
// The measurement may leave sessions waiting for a model forever.
process.exit(0);
