// One call whose answer is held against the clients' own types, and how the table has it.

export interface OfficialCall {
  name: string;
  /** GET without a body, POST with one. */
  method?: 'DELETE' | 'POST';
  /** Below `/openai/v1`. Here and in the body, the name of an earlier call in braces stands for the ID in its answer. */
  path: string;
  body?: object;
  /** Fields of a form, and a text that is sent as a file. */
  fields?: { readonly [name: string]: string };
  file?: readonly [field: string, content: string];
  headers?: Record<string, string>;
  /** Whether each item of a page, or each event, has the type, or an error in the client's form. Default: the whole answer. */
  form?: 'page' | 'events' | 'error';
  /** Repeated until the answer has this status. */
  until?: string;
  /** The HTTP status. Default: 200. */
  status?: number;
  /** The types' names in TypeScript and in Python. */
  node: string;
  /** Missing where the API differs from its types. */
  python?: string;
}

export type Typed = Pick<OfficialCall, 'node' | 'python' | 'form'>;
export type More = Partial<OfficialCall>;

export const get = (name: string, path: string, type: Typed, more: More = {}): OfficialCall => ({
  name,
  path,
  ...type,
  ...more,
});
export const post = (
  name: string,
  path: string,
  body: object,
  type: Typed,
  more: More = {},
): OfficialCall => ({
  name,
  path,
  body,
  ...type,
  ...more,
});
/** Without a body. */
export const act = (name: string, path: string, type: Typed, more: More = {}): OfficialCall => ({
  name,
  method: 'POST',
  path,
  ...type,
  ...more,
});
export const remove = (name: string, path: string, type: Typed): OfficialCall => ({
  name,
  method: 'DELETE',
  path,
  ...type,
});
export const send = (
  name: string,
  path: string,
  file: OfficialCall['file'],
  type: Typed,
  fields = {},
): OfficialCall => ({ name, method: 'POST', path, file: file!, fields, ...type });
export const pageOf = (type: Typed): Typed => ({ ...type, form: 'page' });

/** In one of OpenAI's modules. Python has the same name in another. */
export const openAi = (name: string, module = '', space = ''): Typed => ({
  node: `OpenAI.${space}${name}`,
  python: `openai.types.${module}${name}`,
});
export const ofAnthropic = { headers: { 'anthropic-version': '2023-06-01' } };

export const refused = (status: number): Typed & More => ({
  ...openAi('ErrorObject', 'shared.'),
  form: 'error',
  status,
});
export const refusedByAnthropic = (status: number): Typed & More => ({
  ...ofAnthropic,
  node: 'Anthropic.ErrorResponse',
  python: 'anthropic.types.ErrorResponse',
  status,
});
/** A stream that fails ends with the error. */
export const orError = (type: Typed): Typed => ({
  form: 'events',
  node: `${type.node} | { error: OpenAI.ErrorObject }`,
});
