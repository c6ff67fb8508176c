import { thisMachine } from '../../assembly/sessions/this-machine.ts';
import { findGoneMachine, findMissingLabels } from '../../session/ownership/serving.ts';
import { branchTreeOf } from '../../session/branch/branch-tree.ts';
import { readTranscript } from '../../session/read/read-transcript.ts';
import { auditOf } from '../../views/audit.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { statusOf } from '../../views/status.ts';
import { usageReportOf } from '../../views/usage-report.ts';
import type { CliCommand } from '../command.ts';
import { numberFrom } from '../number-option.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { storeFlagOf } from '../store-flag.ts';
import { terminalActor } from '../terminal-actor.ts';
import { coloredText, terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { questionCardLines } from './question-card-lines.ts';
import { branchLines } from './branch-lines.ts';
import { auditLines, eventLines } from './event-lines.ts';
import { isLeftInTurn, lettersFor } from './reach-session.ts';
import { statusLines } from '../../commands/lines/status-lines.ts';
import { namedSession } from './stored-sessions.ts';
import { wholeTranscriptLines } from '../../wording/transcript-lines.ts';
import { usageLines } from '../../commands/lines/usage-lines.ts';
import { optional } from '../../kernel/optional.ts';

const options = {
  events: { type: 'boolean', help: 'show every recorded event' },
  usage: { type: 'boolean', help: 'show tokens, cost and time by model and turn' },
  audit: { type: 'boolean', help: 'show the audit log of decisions' },
  tree: { type: 'boolean', help: 'show forks and rewinds, with the origin and relatives' },
  limit: { type: 'string', value: 'N', help: 'number of newest items to show (default: 100)' },
  ...storedOptions,
} as const;

export const showCommand: CliCommand = {
  usage: ['show SESSION [--events | --usage | --audit | --tree]'],
  about: `Shows a session's state and its conversation. Reading never starts or changes the session.
SESSION is an id, a prefix, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    const wanted = [values.events, values.usage, values.audit, values.tree].filter((flag) => flag === true);
    if (wanted.length > 1) throw usageError("--events, --usage, --audit and --tree can't be combined");
    const isJson = values.json === true;
    const terminal = terminalOf(process.stdout);
    const say = (lines: readonly string[]) => console.log(coloredText(lines.join('\n'), terminal));

    await using stored = await namedSession(given, values);
    const { session } = stored;
    const events = await stored.events(session);
    if (values.events === true) {
      if (isJson) for (const { event, ...place } of events) console.log(JSON.stringify({ ...place, ...event }));
      else say(eventLines(events, terminal));
    } else if (values.usage === true) {
      const report = usageReportOf(session, events);
      if (isJson) printJson({ session, ...report });
      else say(usageLines(report, terminal));
    } else if (values.audit === true) {
      const { entries } = auditOf(session, events);
      const all = itemsBetween(entries, 0, entries.length);
      if (isJson) printJson({ session, entries: all });
      else say(auditLines(all, terminal));
    } else if (values.tree === true) {
      const tree = await branchTreeOf(stored.store.journal, session);
      if (isJson) printJson(tree);
      else say(branchLines(tree, session, terminal));
    } else {
      const { state, damage } = await stored.load(session);
      const limit = numberFrom('limit', values.limit) ?? 100;
      const page = await readTranscript(stored.store.journal, session, { limit });
      const goneMachine = await findGoneMachine(stored.store.nodes, state.machine, thisMachine());
      const missing =
        stored.store.isShared === true ? await findMissingLabels(stored.store.nodes, state) : undefined;
      const missingLabels = missing?.length === 0 ? undefined : missing;
      const status = { ...statusOf(state), ...optional({ goneMachine, missingLabels }) };
      const letters = (await lettersFor(stored.store, session)).length;
      const interrupted = await isLeftInTurn(stored.store, state);
      if (isJson) printJson({ status, interrupted, transcript: page, ...optional({ damage }) });
      else {
        const { paint } = terminal;
        const storeFlag = storeFlagOf(values.store);
        const place = { read: stored.read, cwd: state.cwd, paint, answerBy: 'command', storeFlag } as const;
        const asked = await Promise.all(status.questions.map((question) => questionCardLines(question, place)));
        const at = { terminal, letters, now: Date.now(), interrupted, asked };
        say(statusLines(status, { ...at, ...optional({ damage }) }));
        for (const item of page.items)
          say([
            '',
            ...(await wholeTranscriptLines(item, stored.read, { ...terminal, viewer: terminalActor.name })),
          ]);
      }
    }
    return 0;
  },
};
