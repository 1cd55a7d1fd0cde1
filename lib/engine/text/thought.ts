// How a model marks what it thinks before it answers. Its chat template says so, whatever the model is called.
import type { ChatTemplate } from './chat-template.js';
import { unlessRejected } from './errors.js';
import { hasGenerationTags } from './jinja/index.js';
import { anyOfPattern } from './vocabulary.js';

export interface ThoughtMarks {
  readonly start: string;
  readonly end: string;
}

/** The thought that an answer may start with. */
export interface Thought extends ThoughtMarks {
  /** Whether the prompt has started it. */
  readonly isOpen: boolean;
}

/** Undefined for models that do not think. */
export function findThoughtMarks(template: ChatTemplate): ThoughtMarks | undefined {
  return marksAround(template) ?? marksNamedIn(template.source);
}

const THOUGHT = 'svcthought';
const ANSWER = 'svcanswer';
const TAG = String.raw`(?:<[^<>\s]{1,40}>|\[[^[\]\s]{1,40}\])`;
const TAG_AT_END = new RegExp(`${TAG}$`);
const ONE_TAG = new RegExp(`^${TAG}$`);

/** The tags around a thought that the template writes into an earlier turn. */
function marksAround(template: ChatTemplate): ThoughtMarks | undefined {
  const [before = '', after = ''] = renderThought(template).split(THOUGHT);
  const start = TAG_AT_END.exec(before.trimEnd())?.[0];
  const end = after.slice(0, Math.max(0, after.indexOf(ANSWER))).trim();
  return start !== undefined && ONE_TAG.test(end) ? { start, end } : undefined;
}

function renderThought(template: ChatTemplate): string {
  const asked = { role: 'user', content: 'a' };
  const answered = { role: 'assistant', content: ANSWER, reasoning_content: THOUGHT, thinking: THOUGHT };
  return unlessRejected(() => template.render([asked, answered])) ?? '';
}

/** Templates that only start a thought, or remove earlier ones, name its tags. */
function marksNamedIn(source: string): ThoughtMarks | undefined {
  const [end, opening, name, closing] = /(<|\[)\/(\w*think\w*)(>|\])/i.exec(source) ?? [];
  return end === undefined ? undefined : { start: `${opening}${name}${closing}`, end };
}

/** The thought after a prompt that ends with `tail`. Undefined if the template has closed an empty one. */
export function thoughtAfter(marks: ThoughtMarks, tail: string): Thought | undefined {
  const written = tail.trimEnd();
  return written.endsWith(marks.end) ? undefined : { ...marks, isOpen: written.endsWith(marks.start) };
}

/**
 * The same template, but where chats begin with a thought, a last turn without one has an empty thought, which models then learn to
 * end: after a thought that never ends, no answer would be found. A template that marks what is learned stays as it is.
 */
export function endThoughts(template: ChatTemplate, marks: ThoughtMarks | undefined): ChatTemplate {
  if (!marks || hasGenerationTags(template.source)) return template;
  const isOpen = (prompt: string) => thoughtAfter(marks, prompt)?.isOpen === true;
  const render: ChatTemplate['render'] = (messages, options = {}) => {
    const rendered = template.render(messages, options);
    if (options.addGenerationPrompt || messages.at(-1)?.role !== 'assistant') return rendered;
    const promptOf = (asked: typeof messages) =>
      unlessRejected(() => template.render(asked, { ...options, addGenerationPrompt: true })) ?? '';
    // Most templates begin none, which a short prompt shows.
    if (!isOpen(promptOf([{ role: 'user', content: 'a' }]))) return rendered;
    const prompt = promptOf(messages.slice(0, -1));
    const start = prompt.lastIndexOf(marks.start);
    const answer = rendered.slice(start);
    const hasOwn = answer.trimStart().startsWith(marks.start);
    if (!isOpen(prompt) || hasOwn || !rendered.startsWith(prompt.slice(0, start))) return rendered;
    // The row may have what follows such a prompt: the rest of a thought.
    return answer.includes(marks.end) ? prompt + answer : `${prompt}${marks.end}\n\n${answer}`;
  };
  return { ...template, render };
}

/** How many of these tokens, by their texts, are an empty thought, or the end of one that the prompt has begun. */
export function countEmptyThought({ start, end }: ThoughtMarks, tokens: readonly string[]): number {
  const pattern = new RegExp(`^\\s*${anyOfPattern([start])}?\\s*${anyOfPattern([end])}\\s*$`);
  let [text, count] = ['', 0];
  for (const [index, token] of tokens.entries()) {
    text += token;
    if (pattern.test(text)) count = index + 1;
    else if (count > 0) break;
  }
  return count;
}
