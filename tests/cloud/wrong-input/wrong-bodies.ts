// Bodies that are wrong in one place, made from one that is right.

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body once for each of its fields, at any depth, with a value in it that has another type. */
export function* withOtherTypes(body: Record<string, unknown>): Generator<[path: string, body: unknown]> {
  for (const [name, value] of Object.entries(body)) {
    for (const other of [7, 'text', true, { a: 1 }, [{ a: 1 }]]) {
      if (typeof other === typeof value && Array.isArray(other) === Array.isArray(value)) continue;
      // The published format takes one text for a list of one.
      if (name === 'stop' && other === 'text') continue;
      yield [name, { ...body, [name]: other }];
    }
    if (!isObject(value)) continue;
    for (const [path, inner] of withOtherTypes(value)) yield [`${name}.${path}`, { ...body, [name]: inner }];
  }
}

/** The body once for each object in it, with a field in that which nobody knows. */
export function* withStrangers(body: Record<string, unknown>): Generator<[path: string, body: unknown]> {
  yield ['stranger', { ...body, stranger: 1 }];
  for (const [name, value] of Object.entries(body)) {
    if (!isObject(value)) continue;
    for (const [path, inner] of withStrangers(value)) yield [`${name}.${path}`, { ...body, [name]: inner }];
  }
}
