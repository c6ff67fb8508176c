import type { Actor } from '../kernel/actor.ts';
import type { Decision } from '../kernel/decision.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Capabilities } from './capabilities.ts';
import type { EffectHost } from '../ports/effect-host.ts';

type Ask = Extract<Decision, { type: 'ask' }>;

const program: Actor = { type: 'program', name: 'approver' };

/** The journal already holds the question. An approver only answers it sooner. */
export function ask(
  { question }: Ask,
  host: EffectHost,
  { approver, approvesAs = program, logger }: Capabilities,
  asking: Map<SessionId, number>,
): void {
  if (approver === undefined) return;
  const { session } = host;
  asking.set(session, (asking.get(session) ?? 0) + 1);
  const over = () => {
    const others = (asking.get(session) ?? 1) - 1;
    if (others === 0) asking.delete(session);
    else asking.set(session, others);
  };
  const leave = () => {
    over();
    host.leftOpen();
  };
  approver(question, host.state).then(
    (answer) => {
      if (answer === undefined) return leave();
      host.deliver({ type: 'question-answered', question: question.id, answer }, approvesAs);
      over();
    },
    () => {
      logger.log('warn', 'the approver failed; the question stays open', { question: question.id });
      leave();
    },
  );
}
