/** Shows a command's result on this screen. */
import type { CommandResult } from '../../commands/command-result.ts';
import { resultLines } from '../../commands/lines/result-lines.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import { presetNames } from '../../views/rule-preset.ts';
import type { Chat, Screen } from './chat.ts';

interface ResultPlace {
  readonly chat: Chat;
  readonly screen: Screen;
  /** The session that the command ran on. */
  readonly session: SessionClient;
  /** The command as it was typed: the title of a long result. */
  readonly line: string;
  readonly answered: (question: string) => void;
}

/** A longer result would open scrolled to its end. */
const mostNoteLines = 15;

export async function showResult(
  result: CommandResult,
  { chat, screen, session, line, answered }: ResultPlace,
): Promise<void> {
  const { lists } = screen;
  const { length } = chat.view.transcript.items;
  switch (result.type) {
    case 'leave':
      return screen.leave();
    case 'clear':
      return chat.show(length);
    // The transcript shows it.
    case 'changed':
      return;
    case 'answered':
      return answered(result.question.id);
    case 'refused':
    case 'failed':
      return chat.note(result.message, 'warning');
    case 'open':
      await chat.begin(result.session);
      if (result.draft !== undefined) screen.setDraft?.(result.draft);
      break;
    case 'rewound':
      if (result.before !== undefined && result.result.conversation !== undefined)
        screen.setDraft?.(result.before);
      break;
    case 'changes':
      if (lists !== undefined) return lists.showChanges(result.changes);
      break;
    case 'copy':
      if (screen.copy === undefined) break;
      screen.copy(result.text);
      return chat.note(`Copied ${result.what}.`);
    case 'points':
      if (lists !== undefined) return lists.pickRewind(result.points, session);
      break;
    case 'history':
      if (lists !== undefined) return chat.show(Math.max(0, length - (result.count ?? length)));
      break;
    case 'sessions':
      if (lists !== undefined) return lists.pickSession(result.words);
      break;
    case 'models':
      if (lists !== undefined) return lists.pickModel(result.current);
      break;
    case 'agents':
      if (lists !== undefined) return lists.pickAgent(result.current ?? '');
      break;
    case 'mode':
      if (lists !== undefined)
        return lists.pickMode(result.mode === 'interactive' ? presetNames[chat.preset] : result.mode);
      break;
    case 'inbox':
      if (lists !== undefined && result.isOne === undefined) return lists.showInbox(result.requests);
      break;
    case 'jobs':
      if (lists !== undefined) return lists.showJobs();
      break;
    default:
      break;
  }
  const all = await resultLines(result);
  // The transcript says that it was rewound.
  const lines =
    lists !== undefined && result.type === 'rewound' ? all.filter((one) => !one.startsWith('Rewound ')) : all;
  if (lists !== undefined && lines.length > mostNoteLines) return lists.showText(line.trim(), lines.join('\n'));
  chat.note(lines.join('\n'));
}
