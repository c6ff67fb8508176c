import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/**
 * What a script was given. `--help` prints how it is used and ends; what it does not know ends it with exit
 * code 2 before it has done anything.
 */
export function scriptOptions<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return wrongOption((error as Error).message, usage);
  }
}

/** Ends the script: it was asked for what there is not. */
export function wrongOption(problem: string, usage: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}
