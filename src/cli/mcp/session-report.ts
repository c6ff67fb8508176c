/** What an MCP client learns of a session. */
import { wholeTranscriptLines } from '../../wording/transcript-lines.ts';
import { optional } from '../../kernel/optional.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import { plainTerminal } from '../../wording/terminal-style.ts';
import { fittingAnswers, subjectText } from '../../wording/question.ts';

export async function readReport(session: SessionClient, items = 20) {
  const [status, page, questions] = await Promise.all([
    session.status(),
    session.transcript({ limit: items }),
    session.questions(),
  ]);
  const lines = await Promise.all(
    page.items.map((item) => wholeTranscriptLines(item, (body) => session.read(body), plainTerminal)),
  );
  // An answer to an earlier prompt doesn't answer this one.
  const prompt = page.items.findLastIndex(({ type }) => type === 'prompt');
  const last = page.items
    .slice(prompt + 1)
    .flatMap((item) => (item.type === 'message' || item.type === 'agent-message' ? [item.text] : []))
    .at(-1);
  return {
    session: session.id,
    state: status.lifecycle,
    ...((status.lifecycle === 'idle' || status.lifecycle === 'closed') && optional({ ending: status.lastEnding })),
    ...(last !== undefined && { answer: await session.read(last) }),
    questions: questions.map(({ id, about }) => ({
      id,
      type: about.type,
      text: subjectText(about),
      answers: fittingAnswers(about),
      ...(about.type === 'clarification' && { options: about.options }),
      ...(about.type === 'form' && { schema: about.schema }),
    })),
    conversation: lines.flat().join('\n'),
    usage: status.usage,
  };
}

/** Waits until the session does nothing or asks something, at most that long. */
export async function waitForRest(session: SessionClient, seconds: number, signal: AbortSignal): Promise<void> {
  if (seconds === 0 || (await isResting(session))) return;
  const stopped = new AbortController();
  const timer = setTimeout(() => stopped.abort(), seconds * 1000);
  try {
    for await (const update of session.follow({ signal: AbortSignal.any([stopped.signal, signal]) })) {
      const isOver = update.type === 'event' || update.type === 'snapshot';
      if (isOver && (await isResting(session))) return;
    }
  } finally {
    clearTimeout(timer);
    stopped.abort();
  }
}

async function isResting(session: SessionClient): Promise<boolean> {
  const { lifecycle } = await session.status();
  return lifecycle === 'idle' || lifecycle === 'waiting' || lifecycle === 'closed' || lifecycle === 'new';
}
