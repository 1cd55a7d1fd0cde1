// A route's responses in the OpenAPI document: success, responses without a body, and errors.

import type { ResponseShape, Route } from '../route.js';
import type { Json, SchemaWriter } from './json-schema.js';

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const ETAG = { ETag: { $ref: '#/components/headers/ETag' } };

export function toResponses(route: Route, writer: SchemaWriter): Json {
  const { response, tagged } = route;
  const success = response.kind === 'json' ? response.status : 200;
  const headers = { ...REQUEST_ID, ...(tagged && ETAG) };
  return {
    [success]: { description: DESCRIPTIONS[response.kind], headers, content: toContent(response, writer) },
    ...(response.kind === 'events' && {
      204: { description: 'All events have been received; nothing follows.', headers: REQUEST_ID },
    }),
    ...(route.changes && {
      226: {
        description:
          'What has changed since the version of `If-None-Match`, for callers that send `A-IM: jobs`.',
        headers,
        content: { 'application/json': { schema: writer.write(route.changes, 'output') } },
      },
    }),
    ...(tagged && { 304: { description: 'The list has not changed.', headers } }),
    ...Object.fromEntries(refusalsOf(route).map(name => [REFUSALS[name], refer(name)])),
    default: refer('Refused'),
  };
}

const DESCRIPTIONS: Readonly<Record<ResponseShape['kind'], string>> = {
  json: 'The requested resource.',
  completion:
    'The completion. With `stream: true`, Server-Sent Events whose data is a chunk, ending with `[DONE]`.',
  events: 'Server-Sent Events: `id` is the event number, `event` its type, and `data` has this shape.',
  text: 'Streamed text.',
  bytes: 'The file.',
};

function toContent(response: ResponseShape, writer: SchemaWriter): Json {
  switch (response.kind) {
    case 'json':
      return { 'application/json': { schema: writer.write(response.schema, 'output') } };
    case 'completion':
      return {
        'application/json': { schema: writer.write(response.schema, 'output') },
        'text/event-stream': { schema: writer.write(response.chunk, 'output') },
      };
    case 'events':
      return { 'text/event-stream': { schema: writer.write(response.schema, 'output') } };
    case 'text':
      return { 'text/plain': { schema: { type: 'string' } } };
    case 'bytes':
      return { [response.mediaType]: { schema: { type: 'string', format: 'binary' } } };
  }
}

/** Keyed by component name. */
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
  Invalid: 'The body or query is invalid; `param` names the field.',
  Unauthenticated: 'The token or key is missing or unknown.',
  Forbidden: 'This caller, host or page is not allowed.',
  NotFound: 'It does not exist, or you have no access to it.',
  TooLarge: 'The body is too large.',
  UnsupportedMediaType: "The body's media type is not supported.",
  Busy: 'Too many requests are already waiting.',
  Unavailable: 'Temporarily unavailable.',
  Refused: 'Any other error.',
};

function refusalsOf({ path, query, body, response, callers }: Route): Refusal[] {
  return [
    ...(query || body ? (['Invalid'] as const) : []),
    ...(callers?.startsWith('anyone') ? [] : (['Unauthenticated'] as const)),
    'Forbidden',
    ...(path.includes(':') ? (['NotFound'] as const) : []),
    ...(body ? (['TooLarge', 'UnsupportedMediaType'] as const) : []),
    ...(response.kind === 'completion' ? (['Busy'] as const) : []),
    ...(response.kind === 'completion' || path === '/healthz' ? (['Unavailable'] as const) : []),
  ];
}

function refer(name: string): Json {
  return { $ref: `#/components/responses/${name}` };
}

/** Components referenced by the responses. */
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
      RequestId: { description: 'Identifies this request in the log.', schema: text },
      ETag: { description: 'The version of the list, for `If-None-Match`.', schema: text },
      RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
    },
  };
}
