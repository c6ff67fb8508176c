/**
 * Sends an input to a session in any process: translates it here, then submits it to the live session or mails it
 * to the owner.
 */
import type { Actor } from '../../kernel/actor.ts';
import { newConversation } from '../../kernel/conversation/conversation.ts';
import { Fault } from '../../kernel/fault.ts';
import type { InputBody } from '../../kernel/input.ts';
import { checkInput } from './check-input.ts';
import { toInput, type ClientInput, type Translation } from '../client-input.ts';
import { digestOf } from '../mailbox/input-digest.ts';
import { readCustom } from '../input-type.ts';
import { lastResult } from '../read/last-result.ts';
import type { EffectHost } from '../../ports/effect-host.ts';
import { receiptOfKey, type UsedKey } from '../mailbox/key-receipt.ts';
import type { Sender } from '../mailbox/letter.ts';
import type { LiveSession } from '../live/live-session.ts';
import { restAt } from '../read/past-state.ts';
import { acquireSession, readBody, stateOf, storedStateOf, type HandlePlace } from './session-place.ts';
import type { PromptReceipt, Receipt, WaitOptions } from '../receipt.ts';
import { awaitReceipt, sendLetter } from '../remote/submit-remotely.ts';
import { optional } from '../../kernel/optional.ts';

/**
 * `watch` also requests the end of the turn. The receipt lacks it if it came from another process or if the prompt
 * was sent before.
 */
export async function sendInput(
  place: HandlePlace,
  input: ClientInput,
  given: Partial<Sender>,
  watch?: WaitOptions,
): Promise<PromptReceipt> {
  const checked = checkInput(input);
  if ('code' in checked) return { type: 'refused', refusal: checked };
  const { from, used } = senderOf(checked, given);
  const before = used && (await receiptOfKey(place.parts.store.journal, place.id, used));
  if (before !== undefined) return before;
  const live = await acquireSession(place);
  const body = await translate(place, checked, live);
  if ('code' in body) return { type: 'refused', refusal: body };
  if (live === 'remote') return await sendRemotely(place, body, from);
  return await (watch === undefined ? live.submit(body, from) : live.prompt(body, from, watch));
}

function senderOf(
  input: ClientInput,
  { by = library, key, digest }: Partial<Sender>,
): { readonly from: Sender; readonly used: UsedKey | undefined } {
  if (key === undefined) return { from: { by }, used: undefined };
  const used = { key, digest: digest ?? digestOf(input) };
  return { from: { by, ...used }, used };
}

function translate(
  place: HandlePlace,
  input: ClientInput,
  live: LiveSession | 'remote',
): ReturnType<typeof toInput> {
  if (live !== 'remote') return translateIn(place, input, live.context);
  return idleContext(place).then((context) => translateIn(place, input, context));
}

function translateIn(place: HandlePlace, input: ClientInput, context: EffectHost): ReturnType<typeof toInput> {
  const translation = translationIn(place, context);
  if (input.type !== 'custom') return toInput(input, translation);
  const { session, state } = context;
  return readCustom(input, place.parts.inputs ?? {}, { session, state }).then((made) =>
    'code' in made ? made : toInput(made, translation),
  );
}

function translationIn({ id, parts }: HandlePlace, context: EffectHost): Translation {
  const { agent, understand, expand, modelProblem, serving, offered, store, interpreter, unique } = parts;
  const restOf = (seq: number) => restAt(store.journal, id, seq);
  const lastOf = async () => {
    const body = await lastResult(store.journal, id, context.state.seq);
    return body === undefined ? undefined : readBody(parts, body);
  };
  const translation = { describe: interpreter.describe, context, restAt: restOf, agent, unique };
  return {
    ...translation,
    ...optional({ understand, expand, modelProblem, serving }),
    ...(offered !== undefined && { lines: { tools: offered, last: lastOf } }),
  };
}

/** A minimal context to compute a task's facts for a session that another process owns. */
async function idleContext(place: HandlePlace): Promise<EffectHost> {
  const { id, parts } = place;
  const current = await stateOf(place);
  return {
    session: id,
    // Belongs to no claim: it starts nothing.
    epoch: 0,
    state: current,
    messages: async () => [],
    agentPrompt: async () => ({ before: [], unsent: [] }),
    conversation: async () => newConversation(id),
    deliver: ignore,
    bootTime: () => ({ boot: '', uptime: 0 }),
    leftOpen: ignore,
    progress: ignore,
    read: (ref) => readBody(parts, ref),
  };
}

async function sendRemotely(place: HandlePlace, body: InputBody, from: Sender): Promise<Receipt> {
  const { id, parts } = place;
  const { store } = parts;
  const key = from.key ?? parts.unique();
  const letter = await sendLetter(store, id, body, { ...from, key });
  for (let round = 0; round < silentRounds; round += 1) {
    const receipt = await awaitReceipt(store, id, letter);
    if (receipt !== 'owner-silent') return receipt;
    // If the owner is gone, opening the session here takes the letter from its inbox.
    const live = await acquireSession(place);
    if (live !== 'remote') return live.submit(body, { ...from, key });
    if (parts.serving === undefined) continue;
    const state = await storedStateOf(place);
    const serving = await parts.serving(state);
    if (serving.type === 'nowhere')
      // It is stored, so this isn't a failure: a sender that is told of one sends it again, and it would run twice.
      return { type: 'accepted', seq: state.seq + 1, waits: `${serving.problem} The input is stored and waits.` };
  }
  throw new Fault(
    'busy',
    `Session ${id}: the process that owns it doesn't answer. The input is stored and will be processed; ` +
      'send it again with the same key to get its result.',
  );
}

const library: Actor = { type: 'program', name: 'library' };
const silentRounds = 10;
const ignore = () => undefined;
