import { homedir } from 'node:os';
import path from 'node:path';

/** Where a user's sessions, configuration and tokens live. */
export function homeFolder(env: NodeJS.ProcessEnv = process.env): string {
  const given = env['RONDO_HOME'];
  return given === undefined || given === '' ? path.join(homedir(), '.rondo') : path.resolve(given);
}
