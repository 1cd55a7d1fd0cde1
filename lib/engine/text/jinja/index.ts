// Jinja templates, rendered as transformers renders them in Python. The package's parser reads them; what they mean is written here.
import { parse, tokenize } from '@huggingface/jinja';
import { GENERATION, GLOBALS, TELL_TIME, tellTime } from './globals.js';
import type { Body } from './nodes.js';
import { Scope } from './scope.js';
import { compileText } from './statements.js';
import { toDict } from './values.js';

export { GENERATION } from './globals.js';
export { readJson, writeJson } from './json.js';

const GLOBAL_SCOPE = new Scope(undefined, GLOBALS);

export class JinjaTemplate {
  readonly #write: (scope: Scope) => string;

  constructor(source: string) {
    const tokens = tokenize(callGeneration(source), { lstrip_blocks: true, trim_blocks: true });
    this.#write = compileText(parse(tokens).body as readonly unknown[] as Body);
  }

  /** `now`: the time that the template is told. Default: the time of day. */
  render(variables: Readonly<Record<string, unknown>>, now?: Date): string {
    const given = toDict(variables);
    if (now)
      given.set(
        TELL_TIME,
        tellTime(() => now),
      );
    return this.#write(new Scope(GLOBAL_SCOPE, given));
  }
}

export const parseJinja = (source: string): JinjaTemplate => new JinjaTemplate(source);

const OPEN_TAG = /\{%(-?)\s*generation\s*(-?)%\}/g;
const CLOSE_TAG = /\{%(-?)\s*endgeneration\s*(-?)%\}/g;

/** Whether a template marks the assistant's text with {% generation %} and {% endgeneration %}. */
export const hasGenerationTags = (source: string): boolean => source.search(OPEN_TAG) >= 0;

/** The package ignores these tags. Here they call a function with what is between them, as in transformers. */
function callGeneration(source: string): string {
  return source
    .replace(/\r\n?/g, '\n')
    .replace(OPEN_TAG, `{%$1 call ${GENERATION}() $2%}`)
    .replace(CLOSE_TAG, '{%$1 endcall $2%}');
}
