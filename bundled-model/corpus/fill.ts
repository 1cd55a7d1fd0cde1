// Sentence templates: `Where is {order}?` becomes a sentence. An answer that lost its value would teach the
// model to leave things out, so a placeholder without one is an error.

/** The template with its values in place. A full stop at the end of a value, as in some dates, is enough. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`No value for {${name}} in "${template}".`);
    return value.endsWith('.') ? value : value + stop;
  });
}
