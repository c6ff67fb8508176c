/** A session whose folder is on a machine where no node runs: what a person can do, in one text for all front ends. */
export function goneMachineText(machine: string, session: string): string {
  return (
    `Its folder is on ${machine}, where no node runs. Wait until \`rondo serve\` runs there, continue here without ` +
    `its files (rondo continue ${session}), or fork it (rondo fork ${session} --folder DIR).`
  );
}
