// Fills sentence templates such as `Where is {order}?`. An answer without its value would teach the model to leave
// things out, so a placeholder without a value is an error.

/** The template with its values. If a value ends in a full stop, as some dates do, no second one is added. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`No value for {${name}} in "${template}".`);
    return value.endsWith('.') ? value : value + stop;
  });
}
