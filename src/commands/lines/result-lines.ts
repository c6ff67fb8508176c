/** A command's result as lines: for the terminal, `rondo run`, editors and the page's note. */
import { optional } from '../../kernel/optional.ts';
import { settingLines } from '../../views/agent-setting-text.ts';
import { oneLine } from '../../views/one-line.ts';
import { answeredText } from '../../wording/answer.ts';
import { wholeTranscriptLines } from '../../wording/transcript-lines.ts';
import { counted } from '../../wording/counted.ts';
import { endingText } from '../../wording/ending.ts';
import { questionCard } from '../../wording/question-card.ts';
import { subjectText } from '../../wording/question.ts';
import { tableText } from '../../wording/table.ts';
import { plainTerminal, type Terminal } from '../../wording/terminal-style.ts';
import type { CommandResult } from '../command-result.ts';
import { helpLine } from '../registry.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { changesLines } from './changes-lines.ts';
import { contextLines } from './context-lines.ts';
import { inboxLines } from './inbox-lines.ts';
import { pointLines, rewoundLines } from './rewound-lines.ts';
import { statusLines } from './status-lines.ts';
import { usageLines } from './usage-lines.ts';

export async function resultLines(
  result: CommandResult,
  terminal: Terminal = plainTerminal,
): Promise<readonly string[]> {
  const table = (rows: readonly (readonly string[])[], ...titles: readonly string[]) =>
    rows.length === 0
      ? ['None.']
      : tableText(
          titles.map((title, index) => ({ title, gives: index === titles.length - 1 })),
          rows,
          terminal,
        ).split('\n');
  switch (result.type) {
    case 'done':
    case 'changed':
      return [result.text];
    case 'refused':
    case 'failed':
      return [result.message];
    case 'help':
      return result.commands.map(helpLine);
    case 'agents': {
      const { agents, current } = result;
      const mark = (name: string) => (name === current ? '●' : '');
      return table(
        agents.map(({ name, from }) => [name, from, mark(name)]),
        'agent',
        'from',
        '',
      );
    }
    case 'models':
      return [`Model: ${result.current ?? 'none'}`, ...result.models.map((model) => `  ${model}`)];
    case 'mode':
      return [`Mode: ${result.mode} (or ${result.others.join(', ')})`];
    case 'settings': {
      const { agent, settings, name = '' } = result;
      const lines = settings === undefined ? [] : settingLines(settings).filter((line) => line.startsWith(name));
      return lines.length === 0 ? [`${agent} hasn't reported any settings.`] : lines;
    }
    case 'sessions':
      return table(
        result.entries.map(({ session, state, title }) => [session, state, oneLine(title)]),
        'session',
        'state',
        'title',
      );
    case 'status': {
      const { status, questions, server } = result;
      const asked = questions.map((question) =>
        questionCard(question, { answerBy: 'command' }).map(({ text }) => text),
      );
      return statusLines(status, {
        terminal,
        letters: 0,
        now: Date.now(),
        asked,
        ...optional({ server }),
      });
    }
    case 'usage':
      return usageLines(result.report, terminal);
    case 'context':
      return contextLines(result.share, terminal);
    case 'history': {
      const { session, items } = result;
      const parts = await Promise.all(
        items.map((item) =>
          wholeTranscriptLines(item, (body) => session.read(body), { ...terminal, viewer: 'terminal' }),
        ),
      );
      return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
    }
    case 'workers':
      return result.workers.length === 0
        ? ['No workers.']
        : table(
            result.workers.map(({ name, state, doing }) => [name, state, doing.join('; ')]),
            'worker',
            'state',
            'doing',
          );
    case 'jobs':
      return result.jobs.length === 0
        ? ['No jobs.']
        : table(
            result.jobs.map(({ id, worker, state, prompt, ending }) => [
              id,
              worker,
              state,
              `${oneLine(prompt)}${ending === undefined || ending.type === 'completed' ? '' : `: ${oneLine(endingText(ending))}`}`,
            ]),
            'job',
            'worker',
            'state',
            'prompt',
          );
    case 'queue': {
      const { prompts, paused } = result.queue;
      const lines = prompts.map(
        ({ preview, delivery }, index) => `${index + 1}. ${delivery === 'steer' ? '↪ ' : ''}${preview}`,
      );
      return [`${prompts.length} queued${paused ? ' · paused' : ''}`, ...lines];
    }
    case 'tools':
      return table(
        result.tools.map(({ name, description }) => [name, oneLine(description)]),
        'tool',
        'description',
      );
    case 'skills':
      return table(
        result.skills.map(({ name, from, description }) => [name, from, oneLine(description)]),
        'skill',
        'from',
        'description',
      );
    case 'permissions':
      return result.entries.length === 0
        ? [
            'No rules. Reads, and edits and commands in a working sandbox, run unasked; everything else needs approval.',
          ]
        : table(
            result.entries.map(({ verdict, rule, from, isRevocable }, index) => [
              `${index + 1}`,
              verdict,
              rule,
              `${from}${isRevocable ? `  /permissions revoke ${index + 1}` : ''}`,
            ]),
            '',
            'verdict',
            'rule',
            'from',
          );
    case 'mcp-servers':
      return result.servers.length === 0
        ? ['No MCP servers. `.mcp.json` or "mcpServers" in rondo.json adds them.']
        : table(
            result.servers.map(({ name, from, state, reached }) => [
              name,
              from,
              state === 'needs login' ? `needs login: rondo mcp login ${name}` : state,
              visibleLine(reached),
            ]),
            'server',
            'from',
            'state',
            'reached by',
          );
    case 'inbox':
      return inboxLines(result, Date.now());
    case 'why':
      return result.reason?.lines ?? ['No intent is recorded for a prompt of this session.'];
    case 'answered':
      return [`${oneLine(subjectText(result.question.about))} ${answeredText(result.answer)}.`];
    case 'rewound':
      return rewoundLines(result.result, { ...result, undo: '/undo' });
    case 'changes':
      return changesLines(result.changes);
    case 'copy':
      return [result.text];
    case 'points':
      return pointLines(result.points);
    case 'exported': {
      const { file, leftOut } = result;
      return leftOut.length === 0
        ? [file]
        : [file, `Without ${counted(leftOut.length, 'sub-agent')}: ${leftOut.join(', ')}`];
    }
    case 'open':
      return [openedText(result)];
    case 'clear':
    case 'leave':
      return [];
  }
}

function openedText({ session, how, before }: Extract<CommandResult, { type: 'open' }>): string {
  const back = before === undefined ? '' : ` /resume ${before} goes back.`;
  switch (how) {
    case 'created':
      return `New session ${session.id}.${back}`;
    case 'forked':
      return `Forked to ${session.id}.${back}`;
    case 'resumed':
      return `Session ${session.id}.${back}`;
  }
}
