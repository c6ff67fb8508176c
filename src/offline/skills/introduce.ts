/** Introduces the offline model: what it can and can't do. */
import { connectModel } from '../connect-model.ts';
import { tell } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';

const self =
  "I'm Rondo's **offline model**. I'm not a language model: I follow rules, understand plain requests, and use the real tools of this session.";

export const introduce: OfflineSkill = {
  name: 'introduce myself',
  does: 'say who I am and how to connect a language model',
  examples: ['help', 'who are you?', 'how do I connect a model?'],
  plan({ verb, words, isKnown, paths }) {
    const text = words.replace(/[\s.?!]+$/, '');
    if (
      /^(?:thanks|thank you|thx|cheers|great|perfect|nice|awesome|well done)\b/i.test(text) &&
      text.split(/\s+/).length < 6
    )
      return tell({ ok: true, text: 'You are welcome.' });
    if (/^(?:bye|goodbye|good night|see you)\b/i.test(text))
      return tell({ ok: true, text: 'Goodbye. This session is kept; you can come back to it.' });
    const connects =
      /\b(?:connect|configure|set ?up|use|add|switch to|change)\b.*\b(?:an?|another|the|real|language)\b.*\b(?:model|llm|api key|ollama)\b/i.test(
        text,
      );
    if (connects) return tell({ ok: true, text: connectModel });
    if (isKnown && verb === 'greet' && paths.length === 0)
      return tell({
        ok: true,
        text: `Hello. ${self}\n\nAsk me for example \`what is in this repository?\`, or say \`help\`.`,
      });
    const asks =
      (isKnown && verb === 'help') ||
      /^(?:help|who are you|what are you|what can (?:you|i) do|are you (?:an? )?(?:ai|llm|bot|language model|human|real|claude|gpt)|(?:which|what) (?:language )?model (?:are you|is this|do you use|am i))\b/i.test(
        text,
      );
    return asks ? tell({ ok: true, text: introduction }) : undefined;
  },
};

const introduction = `${self}

**I can**
- look around: \`what is in this repository?\`, \`find *.ts\`, \`search for "TODO"\`
- the project: \`how do I install it?\`, \`which version is this?\`, \`which dependencies are there?\`, \`how many lines are there?\`
- read: \`show README.md lines 1-20\`, \`explain src/app.ts\` (its structure)
- git: \`show my changes\`, \`show the last 5 commits\`, \`what changed since yesterday?\`, \`commit this\`
- run: \`run the tests\`, \`\` run \`npm run build\` \`\`
- exact edits: \`replace "a" with "b" in F\`, \`create F with "…"\`, \`append "…" to F\`, \`rename F to G\`, \`rename the function a to b\`, \`delete F\`, \`undo that\`
- several steps with "then", \`make a plan: …\`, \`what did we do so far?\`
- several workers: \`delegate: explain src/a.ts; run the tests\`

**I cannot** reason, answer questions about the world, or write or fix code by myself. Whatever changes something goes through the same approvals as with any model.

${connectModel}`;
