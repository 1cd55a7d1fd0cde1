// Summarizing short texts in one sentence. The facts are drawn first; text and summary are both made from them.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import { nameAll, type Slots } from '../intent.js';
import type { Values } from '../values/index.js';
import { ask, type Case, type Task } from './asking/ask.js';
import { drawDistinct, SLOTS } from './asking/content.js';
import { CLOSINGS, GREETINGS, ASIDES as MAIL_ASIDES, MAILS, type Matter } from './summary/mails.js';
import { DEVICES, ASIDES as NOTE_ASIDES, NOTES, REPORTS } from './summary/notes.js';
import { type Fact, OPENINGS, REASONS, WANTS } from './summary/purchases.js';
import { CUSTOMER, SUBJECT, SUMMARIZE } from './summary/wordings.js';

const NAMED: Slots = { ...SLOTS, device: draw => draw.value(DEVICES) };

/** Templates of a text and of both its short forms. */
interface Draft {
  text: string;
  summary: string;
  subject: string;
}

/** All texts for some facts, and the fact for each text. Texts are held out, never facts. */
function toIndex<T extends Fact>(facts: readonly T[]) {
  const owners = new Map(facts.flatMap(fact => fact.texts.map(text => [text, fact] as const)));
  const texts = [...owners.keys()];
  return (draw: Draw) => {
    const text = draw.wording(texts);
    return { text, fact: owners.get(text)! };
  };
}

const drawReason = toIndex(REASONS);
const drawWant = toIndex(WANTS);
const drawMail = toIndex(MAILS);
const drawNote = toIndex<Matter>([...NOTES, ...REPORTS]);

function draftPurchase(draw: Draw): Draft {
  const reason = drawReason(draw);
  const want = drawWant(draw);
  const { summary, subject } = want.fact;
  const sentences = [draw.wording(OPENINGS), reason.text, want.text];
  const text = toMail(draw, withAside(draw, sentences, MAIL_ASIDES, 0.2));
  return { text, summary: `{name} ${summary} because ${reason.fact.summary}.`, subject };
}

function draftMail(draw: Draw): Draft {
  const { text, fact } = drawMail(draw);
  return { ...fact, text: toMail(draw, withAside(draw, [text], MAIL_ASIDES, 0.8)) };
}

function draftNote(draw: Draw): Draft {
  const { text, fact } = drawNote(draw);
  return { ...fact, text: withAside(draw, [text], NOTE_ASIDES, 0.8).join(' ') };
}

/** With an irrelevant sentence before or after. */
function withAside(draw: Draw, sentences: string[], asides: readonly string[], chance: number): string[] {
  if (!draw.chance(chance)) return sentences;
  const aside = draw.wording(asides);
  return draw.chance(0.4) ? [aside, ...sentences] : [...sentences, aside];
}

function toMail(draw: Draw, sentences: string[]): string {
  const greeting = draw.chance(0.6) ? draw.wording(GREETINGS) : '';
  const between = draw.pick(['\n', '\n', ' ']);
  return [greeting, sentences.join(' '), draw.wording(CLOSINGS)].filter(part => part !== '').join(between);
}

function drawCase(
  draw: Draw,
  values: Values,
  makeDraft: (draw: Draw) => Draft,
  form: 'summary' | 'subject',
): Case {
  const draft = makeDraft(draw);
  const [name, name2] = drawDistinct(2, draw.chance(0.5) ? values.firstName : values.fullName) as [
    string,
    string,
  ];
  const named = nameAll(`${draft.text} ${draft.summary}`, draw, values, NAMED, { name, name2 });
  return { input: fill(draft.text, named), answer: fill(draft[form], named) };
}

function toTask(draw: Draw, values: Values): Task {
  const makeDraft = draw.pick([draftPurchase, draftPurchase, draftMail, draftNote]);
  const form = draw.chance(0.3) ? 'subject' : 'summary';
  const isMail = makeDraft !== draftNote;
  const summarize = isMail && draw.chance(0.5) ? CUSTOMER : SUMMARIZE;
  return {
    instructions: form === 'subject' ? SUBJECT : summarize,
    next: () => drawCase(draw, values, makeDraft, form),
  };
}

export const summary: Family = {
  name: 'summary',
  weight: 1.5,
  score: 'tokens',
  make: (draw, values) => ask(draw, toTask(draw, values)),
};
