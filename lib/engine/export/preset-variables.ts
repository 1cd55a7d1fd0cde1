// Chat templates that others render as the adapter was trained to be asked: with the variables of its job set in them.
import type { TemplateVariables } from '../../contract/index.js';

/** The same template where it reads none of them. They override what its caller says, since some always say something. */
export function presetVariables(source: string, variables: TemplateVariables = {}): string {
  const read = Object.entries(variables).filter(([name]) => source.includes(name));
  return read.map(([name, value]) => `{%- set ${name} = ${JSON.stringify(value)} %}`).join('') + source;
}
