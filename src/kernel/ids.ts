/**
 * Branded ids. Each is created in one place (the Ids port, or here from a sequence number) and is the same string
 * in every event and on the wire.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** `ses_…`, sortable by time. */
export type SessionId = Branded<'session'>;
/** `<session>.<seq>`: the session and the sequence of the intent event. */
export type EffectId = Branded<'effect'>;
/** `q_<session body><seq>`: contains its session, so that an answer needs only this id. */
export type QuestionId = Branded<'question'>;
/** The model's id of a tool call within one reply. */
export type CallId = Branded<'call'>;
export type WorkerId = Branded<'worker'>;
export type JobId = Branded<'job'>;
export type BlobHash = Branded<'blob'>;

const questionSeqDigits = 7;

/** Ids that Rondo makes and accepts. They are safe as file names and in commands. */
export function isSessionId(text: string): text is SessionId {
  return /^ses_[A-Za-z0-9]{1,60}$/.test(text);
}

export function effectIdOf(session: SessionId, seq: number): EffectId {
  return `${session}.${seq}` as EffectId;
}

/** The name of the n-th streamed text of an agent's turn: `<effect>/<attempt>-<n>`. */
export function agentTextOf(effect: EffectId, attempt: number, index: number): EffectId {
  return `${effect}/${attempt}-${index}` as EffectId;
}

export function isAgentText(effect: EffectId): boolean {
  return effect.includes('/');
}

export function seqOfEffect(effect: EffectId): number {
  return Number(effect.slice(effect.lastIndexOf('.') + 1));
}

export function sessionOfEffect(effect: EffectId): SessionId {
  return effect.slice(0, effect.lastIndexOf('.')) as SessionId;
}

export function questionIdOf(session: SessionId, seq: number): QuestionId {
  const body = session.slice(session.indexOf('_') + 1);
  return `q_${body}${seq.toString(36).padStart(questionSeqDigits, '0')}` as QuestionId;
}

export function sessionOfQuestion(question: QuestionId): SessionId {
  return `ses_${question.slice(2, -questionSeqDigits)}` as SessionId;
}
