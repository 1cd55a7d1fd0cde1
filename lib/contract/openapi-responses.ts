// What a route may answer, for an OpenAPI document: its success, the answers without a body, and its refusals.
import type { Json, SchemaWriter } from './json-schema.js';
import type { Answer, Route } from './route.js';

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const ETAG = { ETag: { $ref: '#/components/headers/ETag' } };

export function toResponses(route: Route, writer: SchemaWriter): Json {
  const { answer, tagged } = route;
  const success = answer.kind === 'json' ? answer.status : 200;
  const headers = { ...REQUEST_ID, ...(tagged && ETAG) };
  return {
    [success]: { description: DESCRIPTIONS[answer.kind], headers, content: toContent(answer, writer) },
    ...(answer.kind === 'events' && {
      204: { description: 'Nothing follows: all events were seen.', headers: REQUEST_ID },
    }),
    ...(tagged && { 304: { description: 'The list is the one that is known.', headers } }),
    ...Object.fromEntries(refusalsOf(route).map(name => [REFUSALS[name], refer(name)])),
    default: refer('Refused'),
  };
}

const DESCRIPTIONS: Readonly<Record<Answer['kind'], string>> = {
  json: 'What was asked for.',
  completion:
    'The completion; with `stream: true` Server-Sent Events, each with a chunk as its data, the last with `[DONE]`.',
  events:
    'Server-Sent Events: the number of each is its `id`, its type is its `event`, and this is its `data`.',
  text: 'Text as it comes.',
  bytes: 'The file.',
};

function toContent(answer: Answer, writer: SchemaWriter): Json {
  switch (answer.kind) {
    case 'json':
      return { 'application/json': { schema: writer.write(answer.schema, 'output') } };
    case 'completion':
      return {
        'application/json': { schema: writer.write(answer.schema, 'output') },
        'text/event-stream': { schema: writer.write(answer.chunk, 'output') },
      };
    case 'events':
      return { 'text/event-stream': { schema: writer.write(answer.schema, 'output') } };
    case 'text':
      return { 'text/plain': { schema: { type: 'string' } } };
    case 'bytes':
      return { [answer.mediaType]: { schema: { type: 'string', format: 'binary' } } };
  }
}

/** Each by the name of its component. */
const REFUSALS = {
  Invalid: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  TooLarge: 413,
  UnsupportedMediaType: 415,
  Busy: 429,
  Unavailable: 503,
} as const;

type Refusal = keyof typeof REFUSALS;

const MEANINGS: Readonly<Record<Refusal | 'Refused', string>> = {
  Invalid: 'The body or the query does not fit; `param` names the field.',
  Unauthenticated: 'The token or key is missing or not known.',
  Forbidden: 'This caller, host or page may not ask.',
  NotFound: 'There is none of that name, or it is not yours.',
  TooLarge: 'The body is larger than is taken.',
  UnsupportedMediaType: 'The body is of another media type.',
  Busy: 'Too many wait already.',
  Unavailable: 'It cannot be answered right now.',
  Refused: 'Any other refusal or failure.',
};

function refusalsOf({ path, query, body, answer, callers }: Route): Refusal[] {
  return [
    ...(query || body ? (['Invalid'] as const) : []),
    ...(callers?.startsWith('anyone') ? [] : (['Unauthenticated'] as const)),
    'Forbidden',
    ...(path.includes(':') ? (['NotFound'] as const) : []),
    ...(body ? (['TooLarge', 'UnsupportedMediaType'] as const) : []),
    ...(answer.kind === 'completion' ? (['Busy'] as const) : []),
    ...(answer.kind === 'completion' || path === '/healthz' ? (['Unavailable'] as const) : []),
  ];
}

function refer(name: string): Json {
  return { $ref: `#/components/responses/${name}` };
}

/** What the responses refer to. */
export function toErrorComponents(): Json {
  const text = { type: 'string' };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const responses = Object.entries(MEANINGS).map(([name, description]) => {
    const mayRetry = name === 'Busy' || name === 'Unavailable';
    const headers = {
      ...REQUEST_ID,
      ...(mayRetry && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    };
    return [name, { description, headers, content }];
  });
  return {
    responses: Object.fromEntries(responses),
    headers: {
      RequestId: { description: 'By which the log knows this request.', schema: text },
      ETag: { description: 'The version of the list, for `If-None-Match`.', schema: text },
      RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
    },
  };
}
