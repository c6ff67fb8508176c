/** Operations on sessions, shared by HTTP and WebSocket. Checks rights and words refusals. */
import type { SessionHost } from '../host/session-host.ts';
import { Fault } from '../kernel/fault.ts';
import { sessionOfQuestion, type QuestionId, type SessionId } from '../kernel/ids.ts';
import { fieldsOf } from '../kernel/json-object.ts';
import type { Rule } from '../kernel/rule.ts';
import { ruleToolProblem } from '../kernel/policy/rule-tool.ts';
import { errorOfRefusal } from '../protocol/error-code.ts';
import {
  answerOfWire,
  rulesFrom,
  type WireAnswer,
  type WireContinue,
  type WireCreate,
  type WireInput,
} from '../protocol/input-schema.ts';
import type { WireFork, WireRewind } from '../protocol/http-schema.ts';
import type { ClientInput } from '../session/client-input.ts';
import type { Receipt } from '../session/receipt.ts';
import type { RewindResult } from '../session/branch/rewind-session.ts';
import type { Session } from '../session/handle/session.ts';
import type { Backend, Catalog } from './backend.ts';
import type { Capacity } from './capacity.ts';
import { done, failed, isClientFault, type OperationOutcome } from './outcome.ts';
import { workFolder } from './work-folder.ts';
import {
  lacks,
  roleForAnswer,
  roleForCreate,
  roleForInput,
  type Identity,
  selfApproval,
  type SessionOfPeer,
} from './identity.ts';
import { optional } from '../kernel/optional.ts';

export interface Operations {
  find(session: string): Promise<OperationOutcome<Session>>;
  create(by: Identity, wanted: WireCreate, key?: string): Promise<OperationOutcome<Session>>;
  input(by: Identity, session: string, input: WireInput, key?: string): Promise<OperationOutcome<Sent>>;
  answer(
    by: Identity,
    question: string,
    answer: WireAnswer,
    key?: string,
  ): Promise<OperationOutcome<{ readonly seq: number; readonly session: SessionId }>>;
  /** Continues an imported session. The caller chooses everything that acts. */
  continue(by: Identity, session: string, wanted: WireContinue): Promise<OperationOutcome<Session>>;
  fork(by: Identity, session: string, wanted: WireFork, key?: string): Promise<OperationOutcome<Session>>;
  rewind(
    by: Identity,
    session: string,
    wanted: WireRewind,
    key?: string,
  ): Promise<OperationOutcome<Extract<RewindResult, { type: 'rewound' }>>>;
  /** Permanently ends a session and everything that runs for it. Idempotent. */
  stop(by: Identity, session: string, reason?: string): Promise<OperationOutcome<Sent>>;
}

interface Sent {
  readonly seq: number;
  /** The input is stored, and no running node can take it: what it waits for. */
  readonly waits?: string;
}

interface OperationsParts {
  readonly backend: Backend;
  /** The default folder of sessions, and the only one allowed to clients other than the owner. */
  readonly cwd: string;
  readonly host: Pick<SessionHost, 'stop'>;
  readonly capacity: Pick<Capacity, 'forSession'>;
  /** The available tools, to validate rules. */
  readonly tools: Catalog['tools'] | undefined;
  /** Called with the time an input took to become durable. */
  readonly onAppended: (ms: number) => void;
  readonly sessionOfPeer?: SessionOfPeer | undefined;
}

export function createOperations(parts: OperationsParts): Operations {
  const { backend, cwd, onAppended, host, capacity, tools } = parts;

  /** The problem of the first rule that can never match. Needs the list of tools. */
  async function problemOfRules(rules: readonly Pick<Rule, 'tool'>[]): Promise<string | undefined> {
    if (tools === undefined) return undefined;
    const names = (await tools(cwd)).flatMap((tool) => nameOf(tool) ?? []);
    const mistake = rules.map((rule) => ruleToolProblem(rule, names)).find((problem) => problem !== undefined);
    return mistake?.message;
  }

  async function find(id: string): Promise<OperationOutcome<Session>> {
    const session = await backend.sessions.get(id);
    return session === undefined || session.id !== id
      ? failed('SESSION_NOT_FOUND', `Unknown session ${id}.`)
      : done(session);
  }

  async function send(
    id: string,
    input: ClientInput,
    from: { readonly by: Identity; readonly key?: string | undefined; readonly about?: 'question' },
  ): Promise<OperationOutcome<Sent>> {
    const outcome = await find(id);
    if (outcome.type === 'error') return outcome;
    const started = performance.now();
    const receipt: Receipt = await outcome.value.send(input, {
      by: from.by.actor,
      ...optional({ key: from.key }),
    });
    onAppended(performance.now() - started);
    if (receipt.type === 'accepted') return done({ seq: receipt.seq, ...optional({ waits: receipt.waits }) });
    return { type: 'error', error: errorOfRefusal(receipt.refusal, from.about ?? 'input') };
  }

  async function createNow(
    by: Identity,
    wanted: WireCreate,
    key: string | undefined,
  ): Promise<OperationOutcome<Session>> {
    const { worktree, cwd: folder, parent, repository, ...rest } = wanted;
    const place = await workFolder(by, cwd, folder);
    if (place === undefined)
      return failed('REFUSED', 'Only the owner can create sessions outside the server folder.');
    if (repository !== undefined && by.role !== 'owner') {
      return failed('REFUSED', 'Only the owner can create sessions that work on a repository.');
    }
    if (parent !== undefined) {
      const outcome = await find(parent);
      if (outcome.type === 'error') return outcome;
    }
    try {
      const setup = {
        ...rest,
        cwd: place,
        ...optional({ worktree, repository }),
        ...(parent !== undefined && { parent: parent as SessionId }),
        by: by.actor,
      };
      if (key === undefined) {
        const session = await backend.sessions.create(setup);
        await session.persist();
        return done(session);
      }
      const creation = { key: `${by.token} ${key}`, digest: JSON.stringify(wanted) };
      const once = await backend.sessions.createOnce(() => Promise.resolve(setup), creation);
      if (once.type === 'created') return done(once.session);
      return failed(
        'CONFLICT',
        `The key ${key} was used for session ${once.session} with other settings; use a fresh key.`,
      );
    } catch (error) {
      // An agent, model, mode or folder that doesn't exist, or an invalid configuration.
      if (isClientFault(error)) return failed('REFUSED', error.message);
      if ((worktree ?? repository) !== undefined && error instanceof Fault && error.code === 'process')
        return failed('WORKTREE_ERROR', error.message);
      if (worktree !== undefined && error instanceof Fault && error.code === 'busy')
        return failed('CONFLICT', error.message);
      throw error;
    }
  }

  return {
    find,
    async create(by, wanted, key) {
      const refused = lacks(by, roleForCreate(wanted), 'creating such a session') ?? capacity.forSession();
      if (refused !== undefined) return { type: 'error', error: refused };
      return createNow(by, wanted, key);
    },
    async continue(by, session, { cwd: folder, ...rest }) {
      const refused =
        lacks(by, roleForCreate(rest), 'continuing a session') ?? selfApproval(by, parts.sessionOfPeer);
      if (refused !== undefined) return { type: 'error', error: refused };
      const outcome = await find(session);
      if (outcome.type === 'error') return outcome;
      const place = await workFolder(by, cwd, folder);
      if (place === undefined)
        return failed('REFUSED', 'Only the owner can continue sessions outside the server folder.');
      try {
        return done(await backend.sessions.continue(session, { ...rest, cwd: place, by: by.actor }));
      } catch (error) {
        if (isClientFault(error)) return failed('REFUSED', error.message);
        throw error;
      }
    },
    async fork(by, session, wanted, key) {
      const refused = lacks(by, 'prompter', 'forking a session') ?? capacity.forSession();
      if (refused !== undefined) return { type: 'error', error: refused };
      const outcome = await find(session);
      if (outcome.type === 'error') return outcome;
      const once = key === undefined ? {} : { key: `${by.token} ${key}` };
      const { cwd: folder, ...point } = wanted;
      const place = folder === undefined ? undefined : await workFolder(by, cwd, folder);
      if (folder !== undefined && place === undefined)
        return failed('REFUSED', 'Only the owner can fork sessions to folders outside the server folder.');
      try {
        return done(await outcome.value.fork({ ...point, ...once, ...optional({ cwd: place }), by: by.actor }));
      } catch (error) {
        if (isClientFault(error)) return failed('REFUSED', error.message);
        throw error;
      }
    },
    async rewind(by, session, { to, files = true }, key) {
      // Restoring files asks no further question, so it needs an approver.
      const refused = lacks(by, files === false ? 'prompter' : 'approver', 'rewinding a session');
      if (refused !== undefined) return { type: 'error', error: refused };
      const outcome = await find(session);
      if (outcome.type === 'error') return outcome;
      const axes = files === 'only' ? 'files' : files ? 'both' : 'conversation';
      const result = await outcome.value.rewind({ to, axes, by: by.actor, ...optional({ key }) });
      if (result.type === 'rewound') return done(result);
      return { type: 'error', error: errorOfRefusal(result.refusal, 'input') };
    },
    async input(by, session, input, key) {
      const refused =
        lacks(by, roleForInput(input), `sending "${input.type}"`) ??
        (decides.has(input.type) ? selfApproval(by, parts.sessionOfPeer) : undefined);
      if (refused !== undefined) return { type: 'error', error: refused };
      const given = rulesGivenIn(input);
      const problem = given === undefined ? undefined : await problemOfRules(given);
      if (problem !== undefined) return failed('INVALID_MESSAGE', problem);
      return send(session, withRules(input), { by, key });
    },
    async answer(by, question, wire, key) {
      const refused = lacks(by, roleForAnswer(wire), 'this answer') ?? selfApproval(by, parts.sessionOfPeer);
      if (refused !== undefined) return { type: 'error', error: refused };
      const session = sessionOfQuestion(question as QuestionId);
      const input: ClientInput = { type: 'answer', question, answer: answerOfWire(wire) };
      const sent = await send(session, input, { by, key, about: 'question' });
      if (sent.type === 'done') return done({ ...sent.value, session });
      const isUnknown = sent.error.code === 'SESSION_NOT_FOUND';
      return isUnknown ? failed('QUESTION_NOT_FOUND', `Unknown question ${question}.`) : sent;
    },
    async stop(by, session, reason = `ended by ${by.actor.name}`) {
      const refused = lacks(by, 'prompter', 'ending a session');
      if (refused !== undefined) return { type: 'error', error: refused };
      const outcome = await find(session);
      if (outcome.type === 'error') return outcome;
      const { id } = outcome.value;
      const { agent } = await outcome.value.status();
      return host.stop<OperationOutcome<Sent>>(
        { id, agent },
        {
          reason,
          close: () => send(id, { type: 'close', reason }, { by }),
          isClosed: (outcome) => outcome.type === 'done' || outcome.error.code === 'CONFLICT',
        },
      );
    },
  };
}

/** Inputs that change what needs approval. */
const decides: ReadonlySet<string> = new Set(['policy', 'rules', 'mode', 'limits', 'agent-setting']);

function nameOf(tool: unknown): string | undefined {
  const { name } = fieldsOf(tool);
  return typeof name === 'string' ? name : undefined;
}

function rulesGivenIn(input: WireInput): readonly Pick<Rule, 'tool'>[] | undefined {
  if (input.type === 'policy') return input.rules;
  return input.type === 'rules' ? (input.add ?? []) : undefined;
}

function withRules(input: WireInput): ClientInput {
  if (input.type === 'policy') return { ...input, rules: rulesFrom(input.rules) };
  if (input.type !== 'rules') return input;
  const { add, ...rest } = input;
  return { ...rest, ...(add !== undefined && { add: rulesFrom(add) }) };
}
