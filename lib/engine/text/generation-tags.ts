// Templates may mark the assistant's text with {% generation %} and {% endgeneration %}. The template package ignores
// these tags; here they become calls of a macro that writes marks around their content.
import type { TextSpan } from './assistant-spans.js';
import { type ChatTemplate, compileTemplate } from './chat-template.js';
import { type Conversation, uniqueWord } from './conversation.js';

/** Returns the spans that a template marks in a conversation; undefined if it has no such tags. */
export type GenerationMarks = (conversation: Conversation) => TextSpan[] | undefined;

const openTag = /\{%(-?)\s*generation\s*(-?)%\}/g;
const closeTag = /\{%(-?)\s*endgeneration\s*(-?)%\}/g;
const macro = '{% macro svc_generation() %}{{ svc_mark }}{{ caller() }}{{ svc_mark }}{% endmacro %}\n';

export function readGenerationTags(
  { file, source }: ChatTemplate,
  tokens: Readonly<Record<string, string>>,
): GenerationMarks {
  if (source.search(openTag) < 0) return () => undefined;
  const calls = source
    .replace(openTag, '{%$1 call svc_generation() $2%}')
    .replace(closeTag, '{%$1 endcall $2%}');
  const template = compileTemplate(file, macro + calls, tokens);
  return ({ messages, rendered, options }) => {
    const mark = uniqueWord([rendered]);
    const variables = { ...options.variables, svc_mark: mark };
    const pieces = template.render(messages, { ...options, variables }).split(mark);
    return pieces.join('') === rendered ? toSpans(pieces) : undefined;
  };
}

/** Every second piece was between two marks. */
function toSpans(pieces: readonly string[]): TextSpan[] {
  let offset = 0;
  return pieces.flatMap((piece, index) => {
    const span = { start: offset, end: offset + piece.length };
    offset = span.end;
    return index % 2 === 1 ? [span] : [];
  });
}
