/** A request as the chat's card, for commands that ask on a terminal line by line. */
import { newCardState } from '../../terminal/chat/card-state.ts';
import { glyphsFor } from '../../terminal/glyphs.ts';
import { cardBody } from '../../terminal/lines/card-body.ts';
import { cardLines } from '../../terminal/lines/card-lines.ts';
import type { Look } from '../../terminal/lines/look.ts';
import { colorDepthOf, createPaint, themeFromEnvironment } from '../../terminal/theme.ts';
import { isBlobRef, previewOf, type Body } from '../../kernel/content.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { isolated } from '../../wording/isolates.ts';
import { cardChoices } from '../../wording/card-choices.ts';
import { fileBefore } from './question-card-lines.ts';
import type { Environment } from '../../ports/environment.ts';

interface RequestPlace {
  /** Reads a full text of which the journal holds the beginning. */
  readonly read: (body: Body) => Promise<string>;
  /** The session's folder. */
  readonly cwd: string;
  readonly columns: number;
  readonly env: Environment;
}

const widest = 100;

export async function requestLines(question: OpenQuestion, place: RequestPlace): Promise<readonly string[]> {
  const { look, body } = await drawnBody(question, place);
  const project = place.cwd.split('/').at(-1) ?? place.cwd;
  return cardLines(
    {
      question,
      choices: cardChoices(question, project),
      // No row is selected: the user types a letter.
      state: newCardState(question.id, { isDangerous: true, choices: [] }),
      from: question.id,
      more: 0,
      place: 'card',
      body,
      height: Infinity,
      room: Infinity,
    },
    look,
  ).lines.map(isolated);
}

/** What a yes would run or change, without the choices. */
export async function requestBodyLines(question: OpenQuestion, place: RequestPlace): Promise<readonly string[]> {
  return (await drawnBody(question, place)).body.lines.map(isolated);
}

async function drawnBody(question: OpenQuestion, place: RequestPlace) {
  const { args } = question;
  const whole = args !== undefined && isBlobRef(args) ? await place.read(args) : undefined;
  const before = await fileBefore(question, place.cwd);
  const look = plainLookOf(place, whole);
  const body = cardBody(question, { before, isSideBySide: false }, { ...look, width: look.width - 4 });
  return { look, body };
}

function plainLookOf({ columns, env }: RequestPlace, whole: string | undefined): Look {
  const glyphs = glyphsFor({ isAscii: false, env });
  return {
    width: Math.min(columns, widest),
    paint: createPaint({}, { depth: colorDepthOf(env), name: themeFromEnvironment(env) }),
    glyphs,
    prompt: glyphs.prompt,
    now: Date.now(),
    markdown: (text) => text.split('\n'),
    isOpen: () => false,
    openings: 0,
    textOf: (body) => (isBlobRef(body) ? (whole ?? previewOf(body)) : body),
    streamOf: () => undefined,
    self: '',
    workerName: (worker) => worker,
  };
}
