/** The CLI entry point. Loads nothing to print the version, otherwise only the command dispatcher. */
import { rondoVersion } from '../journal/rondo-version.ts';

const argv = process.argv.slice(2);
if (argv[0] === '--version' || argv[0] === '-v') {
  console.log(rondoVersion());
} else {
  const { runCommandLine } = await import('./command-line.ts');
  process.exitCode = await runCommandLine(argv);
}
