// Bodies that are wrong in one place, derived from a valid one.

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body once for each field at any depth, with a value of another type there. */
export function* withOtherTypes(body: Record<string, unknown>): Generator<[path: string, body: unknown]> {
  for (const [name, value] of Object.entries(body)) {
    for (const other of [7, 'text', true, { a: 1 }, [{ a: 1 }]]) {
      if (typeof other === typeof value && Array.isArray(other) === Array.isArray(value)) continue;
      // The OpenAI format accepts a string instead of a list with one entry.
      if (name === 'stop' && other === 'text') continue;
      yield [name, { ...body, [name]: other }];
    }
    if (!isObject(value)) continue;
    for (const [path, inner] of withOtherTypes(value)) yield [`${name}.${path}`, { ...body, [name]: inner }];
  }
}

/** The body once for each object in it, with an unknown field there. */
export function* withStrangers(body: Record<string, unknown>): Generator<[path: string, body: unknown]> {
  yield ['stranger', { ...body, stranger: 1 }];
  for (const [name, value] of Object.entries(body)) {
    // The fields of scores are names that the caller gives, and graders may have more than is known of them, as OpenAI's API has it.
    if (!isObject(value) || name === 'scores' || name === 'grader') continue;
    for (const [path, inner] of withStrangers(value)) yield [`${name}.${path}`, { ...body, [name]: inner }];
  }
}
