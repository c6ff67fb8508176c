/** What a person can do for a session that no running node can work on, in one text for all front ends. */

/** What it waits for. */
export interface Wait {
  readonly goneMachine?: string;
  readonly missingLabels?: readonly string[];
}

export function waitTexts({ goneMachine, missingLabels = [] }: Wait, session: string): readonly string[] {
  return [
    ...(goneMachine === undefined ? [] : [goneMachineText(goneMachine, session)]),
    ...(missingLabels.length === 0 ? [] : [missingLabelsText(missingLabels)]),
  ];
}

/** The same in a cell of a list. */
export function waitsForText({ goneMachine, missingLabels = [] }: Wait): string | undefined {
  const names = [
    ...(goneMachine === undefined ? [] : [goneMachine]),
    ...missingLabels.map((label) => `label ${label}`),
  ];
  return names.length === 0 ? undefined : `waits for ${names.join(', ')}`;
}

function missingLabelsText(labels: readonly string[]): string {
  const [what, them] = labels.length === 1 ? ['label', 'it'] : ['labels', 'them'];
  return (
    `Its agent needs the ${what} ${labels.join(', ')}, which no running node offers. Its work waits: start a node ` +
    `that offers ${them} (rondo serve --labels ${labels.join(',')}), or choose another agent.`
  );
}

export function goneMachineText(machine: string, session: string): string {
  return (
    `Its folder is on ${machine}, where no node runs. Wait until \`rondo serve\` runs there, continue here without ` +
    `its files (rondo continue ${session}), or fork it (rondo fork ${session} --folder DIR).`
  );
}
