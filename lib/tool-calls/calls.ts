// The calls of an assistant's message, as chat completions and data sets have them.

export interface Call {
  readonly name: string;
  /** Parsed; undefined if they are not JSON. */
  readonly arguments: unknown;
  readonly id?: string;
}

/** None where a list of calls is missing or is something else. */
export function readCalls(message: { readonly tool_calls?: unknown }): Call[] {
  const calls = message.tool_calls;
  return Array.isArray(calls) ? calls.map(readCall) : [];
}

/** Some data sets have the name and the arguments themselves in place of a function with both. */
function readCall(call: unknown): Call {
  const { id, function: called, ...flat } = (call ?? {}) as { id?: unknown; function?: unknown };
  const { name, arguments: given } = (called ?? flat) as { name?: unknown; arguments?: unknown };
  return {
    name: typeof name === 'string' ? name : '',
    arguments: typeof given === 'string' ? parse(given) : (given ?? {}),
    ...(typeof id === 'string' && id !== '' && { id }),
  };
}

/** As the API has it, with an ID by its place if it has none. Arguments that were not JSON are an empty text. */
export function toToolCall({ id, name, arguments: given }: Call, place: number) {
  return {
    id: id ?? `call_${place}`,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(given) ?? '' },
  };
}

/** Some models write nothing for no arguments, and some data sets leave them out. */
function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `get_weather({"city":"Paris"})`, one a line. */
export function writeCalls(calls: readonly Call[]): string {
  return calls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given) ?? '?'})`).join('\n');
}
