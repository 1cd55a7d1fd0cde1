// Adds what people do when they type: a greeting, no capital, no full stop, a missing apostrophe. It changes templates
// before values are filled in, so values that the answer must repeat exactly stay intact.
import type { Draw } from './draw.js';

/** A first message, as a person might type it. */
export function addTypingHabits(draw: Draw, text: string): string {
  const asked = draw.chance(0.12) ? addPlease(text) : text;
  const greeted = draw.chance(0.1) ? addGreeting(draw, asked) : asked;
  return addTypos(draw, greeted);
}

/** The same for later messages and those with a greeting: nothing is added. */
export function addTypos(draw: Draw, text: string): string {
  let typed = text;
  if (draw.chance(0.2)) typed = lowerFirst(typed);
  if (draw.chance(0.2)) typed = typed.replace(/[.?!]$/, '');
  if (draw.chance(0.1)) typed = dropApostrophes(typed);
  if (draw.chance(0.06)) typed = misspell(typed);
  return typed;
}

const GREETINGS = ['Hi, ', 'Hello, ', 'Hey, ', 'Hi! ', 'Hello! ', 'Good morning, ', 'Hi there, '] as const;
const GREETED = /^(hi|hello|hey|good|thank|thanks|bye|goodbye|please|see you)\b/i;

function addGreeting(draw: Draw, text: string): string {
  if (GREETED.test(text)) return text;
  const greeting = draw.pick(GREETINGS);
  return greeting + (greeting.endsWith(', ') ? lowerFirst(text) : text);
}

const REQUEST =
  /^(write|tell|give|name|list|show|explain|help|make|create|say|answer|complete|find|choose|sort|put)\b/i;
const ASKING = /^(can|could|would|will) you\b(?! please)/i;

/** Where a person would say it: before a request, or after "can you". */
function addPlease(text: string): string {
  if (/\bplease\b/i.test(text)) return text;
  if (REQUEST.test(text)) return `Please ${lowerFirst(text)}`;
  return text.replace(ASKING, '$& please');
}

/** Words in capitals, "I" and codes stay unchanged. */
function lowerFirst(text: string): string {
  const isPlainWord = /^(?:[A-Z][a-z']+(?=[\s,.!?]|$)|A\s)/.test(text) && !/^I'/.test(text);
  return isPlainWord ? text[0]!.toLowerCase() + text.slice(1) : text;
}

function dropApostrophes(text: string): string {
  return text.replace(/(?<=[a-z])'(?=(?:s|t|re|m|ve|ll|d)\b)/gi, '');
}

/** Common words and their most common typos. No question is ever about these words. */
const MISTYPED: Readonly<Record<string, string>> = {
  because: 'becuase',
  could: 'coud',
  have: 'hvae',
  please: 'pls',
  receive: 'recieve',
  thanks: 'thx',
  the: 'teh',
  what: 'waht',
  which: 'wich',
  would: 'woud',
  you: 'u',
};

const FIRST_MISTYPED = new RegExp(`\\b(?:${Object.keys(MISTYPED).join('|')})\\b`);

/** At most one word of the text. */
function misspell(text: string): string {
  return text.replace(FIRST_MISTYPED, word => MISTYPED[word]!);
}
