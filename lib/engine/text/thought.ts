// How a model marks what it thinks before it answers. Its chat template says so, whatever the model is called.
import type { ChatTemplate } from './chat-template.js';
import { unlessRejected } from './errors.js';

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
 * end: after a thought that never ends, no answer would be found.
 */
export function endThoughts(template: ChatTemplate, marks: ThoughtMarks | undefined): ChatTemplate {
  if (!marks) return template;
  const render: ChatTemplate['render'] = (messages, options = {}) => {
    const rendered = template.render(messages, options);
    if (options.addGenerationPrompt || messages.at(-1)?.role !== 'assistant') return rendered;
    const promptOf = (asked: typeof messages) =>
      unlessRejected(() => template.render(asked, { ...options, addGenerationPrompt: true })) ?? '';
    if (!thoughtAfter(marks, promptOf([{ role: 'user', content: 'a' }]))?.isOpen) return rendered;
    const prompt = promptOf(messages.slice(0, -1));
    const start = prompt.lastIndexOf(marks.start);
    const answer = rendered.slice(start);
    const hasOwn = answer.trimStart().startsWith(marks.start);
    if (start < 0 || hasOwn || !rendered.startsWith(prompt.slice(0, start))) return rendered;
    return `${prompt}\n${marks.end}\n\n${answer}`;
  };
  return { ...template, render };
}
