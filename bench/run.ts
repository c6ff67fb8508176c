/** `npm run bench`: measures the design's speed goals, beside a hand-written floor that does the same work. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { measureDurableAppends } from './appends/durable-appends.ts';
import { measureTerminalChat } from './chat/terminal-chat.ts';
import { measureStartingACommand } from './cli/starting-a-command.ts';
import { measureApprovalFatigue } from './fatigue/approval-fatigue.ts';
import { measureGrowthOfAStep } from './growth/growth-of-a-step.ts';
import { measureThousandTurns } from './growth/thousand-turns.ts';
import { describeMachine } from './harness/machine.ts';
import { parsePlan, usualItems, usage, type ItemName, type Plan } from './harness/plan.ts';
import { plotToSvg } from './harness/plot.ts';
import { figuresToMarkdown, reportToMarkdown, sectionToMarkdown, updatedReport } from './harness/report.ts';
import { createScratchFolder } from './harness/scratch-folder.ts';
import type { Section } from './harness/section.ts';
import { measureUnderstandingAPrompt } from './intent/understanding-a-prompt.ts';
import { measureOverheadOfAJob } from './jobs/overhead-of-a-job.ts';
import { measureManySessions } from './many/many-sessions.ts';
import { measureOpeningASession } from './open/opening-a-session.ts';
import { measureRelayingAnAgent } from './relay/relaying-an-agent.ts';
import { measureServingSessions } from './serve/serving-sessions.ts';
import { measureStores } from './stores/measure-stores.ts';
import { measureStreamingToClients } from './stream/streaming-to-clients.ts';
import { measureOverheadOfATurn } from './turn/overhead-of-a-turn.ts';
import { measureHeapOverAnHour } from './web/heap-over-an-hour.ts';
import { measureWebApp } from './web/web-app.ts';

const items: Readonly<Record<ItemName, (plan: Plan) => Promise<Section>>> = {
  a: measureOverheadOfATurn,
  b: measureOpeningASession,
  c: measureManySessions,
  d: measureStreamingToClients,
  e: measureStartingACommand,
  f: measureServingSessions,
  g: measureDurableAppends,
  h: measureTerminalChat,
  i: measureUnderstandingAPrompt,
  j: measureOverheadOfAJob,
  k: measureGrowthOfAStep,
  l: measureThousandTurns,
  q: measureApprovalFatigue,
  r: measureRelayingAnAgent,
  stores: measureStores,
  web: measureWebApp,
  heap: measureHeapOverAnHour,
};
const reportFile = path.resolve(import.meta.dirname, '../docs/benchmarks.md');
const plotFolder = path.resolve(import.meta.dirname, '../docs/bench');

const given = process.argv.slice(2);
if (given.includes('--help') || given.includes('-h')) {
  console.log(usage);
  process.exit(0);
}
const plan = parsePlan(given);
if (typeof plan === 'string') {
  console.error(`${plan}\n\n${usage}`);
  process.exit(2);
}

const sections: Section[] = [];
for (const name of plan.only) {
  process.stderr.write(`${name} `);
  const section = await items[name](plan);
  sections.push(section);
  console.log(`${sectionToMarkdown(section)}\n`);
}
console.log(figuresToMarkdown(sections));

if (plan.isWritten) {
  using folder = createScratchFolder();
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(folder.path),
    command: ['npm run bench --', ...given].join(' '),
  };
  const isWhole = usualItems.every((name) => plan.only.includes(name));
  writeFileSync(
    reportFile,
    isWhole || !existsSync(reportFile)
      ? reportToMarkdown(sections, facts)
      : updatedReport(readFileSync(reportFile, 'utf8'), sections, facts),
  );
  mkdirSync(plotFolder, { recursive: true });
  for (const plot of sections.flatMap(({ plots = [] }) => plots)) {
    writeFileSync(path.join(plotFolder, `${plot.name}.svg`), plotToSvg(plot));
  }
}
