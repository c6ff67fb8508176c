import { settingLines } from '../../views/agent-setting-text.ts';
import { endingText } from '../../wording/ending.ts';
import { waitTexts } from '../../views/waits-for.ts';
import { oneLine } from '../../views/one-line.ts';
import type { Lifecycle, Status } from '../../views/status.ts';
import { childUsageText, costText, usedTokensText } from '../../wording/cost.ts';
import { counted } from '../../wording/counted.ts';
import { stateText } from '../../wording/state.ts';
import { ageText } from '../../wording/duration.ts';
import type { Terminal, Tone } from '../../wording/terminal-style.ts';

interface Circumstances {
  readonly terminal: Terminal;
  /** How many inputs are pending in the inbox. */
  readonly letters: number;
  readonly now: number;
  readonly damage?: { readonly seq: number; readonly reason: string };
  /** The URL of the server that runs it, if any. */
  readonly server?: string;
  /** Each open question as lines. */
  readonly asked: readonly (readonly string[])[];
  /** True if the process that ran it died mid-turn. */
  readonly interrupted?: boolean;
}

/** A session's status, one fact per line. */
export function statusLines(
  status: Status,
  { terminal, letters, now, asked, damage, interrupted, server }: Circumstances,
): readonly string[] {
  const { paint } = terminal;
  const { usage, lastEnding, queue } = status;
  const row = (name: string, value: string) => `${paint.quiet(name.padEnd(9))} ${value}`;
  return [
    row('session', paint.strong(status.session)),
    ...(status.title === undefined ? [] : [row('title', oneLine(status.title))]),
    row(
      'state',
      interrupted === true && status.goneMachine === undefined
        ? paint.warning(`interrupted (owner gone); resume with: rondo run --session ${status.session}`)
        : paint[toneOf[status.lifecycle]](stateText(status.lifecycle)),
    ),
    ...(interrupted === true ? [] : status.doing.map(({ words }) => row('doing', words))),
    row('agent', agentText(status)),
    row('mode', status.mode),
    ...(status.agentSettings === undefined ? [] : settingLines(status.agentSettings)).map((line) =>
      row('its own', oneLine(line)),
    ),
    ...(status.isForeign === true ? [] : placeOf(status).map(([name, value]) => row(name, value))),
    ...waitTexts(status, status.session).map((text) => row('waits', paint.warning(text))),
    ...(server === undefined ? [] : [row('server', server)]),
    // A session that isn't stored yet was never updated.
    ...(status.updatedAt === 0 ? [] : [row('updated', `${ageText(now - status.updatedAt)} ago`)]),
    row(
      'usage',
      [
        counted(usage.turns, 'turn'),
        counted(usage.steps, 'step'),
        counted(usage.toolCalls, 'tool call'),
        usedTokensText(usage),
        costText(usage),
      ].join(', '),
    ),
    ...(usage.children === undefined ? [] : [row('', childUsageText(usage))]),
    ...(lastEnding === undefined ? [] : [row('last turn', endingText(lastEnding.ending))]),
    ...(queue.prompts.length === 0
      ? []
      : [row('queue', `${queue.prompts.length} waiting${queue.paused ? ', paused' : ''}`)]),
    ...asked.flatMap(([heading = '', ...rest]) => [
      row('question', heading),
      ...rest.map((line) => row('', line)),
    ]),
    ...(letters === 0
      ? []
      : [
          row(
            'inbox',
            `${letters} pending${status.goneMachine === undefined ? `; resume with: rondo run --session ${status.session}` : ''}`,
          ),
        ]),
    ...(damage === undefined ? [] : [row('damage', paint.bad(`event ${damage.seq}: ${damage.reason}`))]),
  ];
}

const toneOf: Readonly<Record<Lifecycle, Tone>> = {
  new: 'quiet',
  idle: 'quiet',
  running: 'good',
  waiting: 'warning',
  pausing: 'warning',
  cancelling: 'warning',
  closed: 'quiet',
};

function placeOf({ cwd, machine, repository }: Status): readonly (readonly [string, string])[] {
  const folder = ['folder', machine === undefined ? cwd : `${cwd} on ${machine}`] as const;
  if (repository === undefined) return [folder];
  const { url, ref, branch, push, pushed } = repository;
  const result =
    pushed === undefined
      ? `${branch}, ${push ? 'not pushed yet' : 'never pushed'}`
      : `${pushed.branch}, pushed at ${pushed.commit.slice(0, 10)}`;
  return [['repo', `${url}${ref === undefined ? '' : ` at ${ref}`}`], ['branch', result], folder];
}

/** An imported session has neither agent nor folder until a person continues it. */
function agentText({ isForeign, agent, model }: Status): string {
  if (isForeign === true) return '(imported)';
  return model === undefined ? agent : `${agent} (${model})`;
}
