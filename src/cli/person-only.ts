import { Fault } from '../kernel/fault.ts';
import { sessionAroundSelf, UNKNOWN_SESSION } from '../processes/around-session.ts';

/** Refuses a command that decides for a person if an agent's session runs it. */
export function personOnly(command: string): void {
  const session = sessionAroundSelf();
  if (session === undefined) return;
  throw new Fault(
    'closed',
    `rondo ${command} makes a decision for a person, but ${session === UNKNOWN_SESSION ? 'an agent' : `session ${session}`} runs this command. Run it in your own terminal.`,
  );
}
