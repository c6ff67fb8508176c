import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/**
 * Parses a script's options. `--help` prints the usage and exits; an unknown option exits with code 2 before the
 * script does anything.
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

/** Exits because of an invalid option. */
export function wrongOption(problem: string, usage: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}
