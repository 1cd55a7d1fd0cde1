// One thing wrong around a body: method, address, headers.
import type { Draw } from './draw.js';
import type { FuzzRequest } from './requests.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const SEGMENTS = [
  '..',
  '%2e%2e',
  '%00',
  '%',
  '%zz',
  'ü',
  '%C3%BC',
  ' ',
  'a'.repeat(8000),
  '%2F',
  ';',
  '*',
  '__proto__',
];
const HEADERS: readonly (readonly [string, string])[] = [
  ['accept', 'text/plain;q=0.000'],
  ['range', 'bytes=5-2'],
  ['if-none-match', '*'],
  ['if-none-match', '"x", W/"y"'.repeat(500)],
  ['last-event-id', '-1'],
  ['last-event-id', '9'.repeat(400)],
  ['authorization', 'Bearer '],
  ['authorization', `Basic ${'A'.repeat(4000)}`],
  ['x-svc-studio-token', 'ü'],
  ['x-svc-cloud-secret', ''],
  ['x-filename', '%E0%A4%A'],
  ['x-filename', `..%2F${'x'.repeat(3000)}`],
  ['origin', 'null'],
  ['origin', 'https://app.example.com'],
  ['access-control-request-method', 'POST'],
  ['access-control-request-headers', 'authorization,"x",\u00fc, x'.repeat(300)],
  ['sec-fetch-site', 'cross-site'],
  ['x-forwarded-host', 'evil.example'],
  ['expect', 'something'],
  ['content-encoding', 'gzip'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'text/plain'],
  ['content-type', ''],
  ['connection', 'upgrade'],
  ['upgrade', 'websocket'],
  ['transfer-encoding', 'gzip, chunked'],
  ['content-length', '-1'],
  ['content-length', '99999999999999'],
  ['x-large', 'x'.repeat(20_000)],
  ['bad name', 'x'],
  ['x-control', 'a\u0001b'],
  ['host', 'evil.example'],
];

const SPOILERS: readonly ((request: FuzzRequest, draw: Draw) => FuzzRequest)[] = [
  (request, draw) => ({ ...request, method: draw.pick(METHODS) }),
  (request, draw) => ({ ...request, target: spoilPath(request.target, draw) }),
  request => ({
    ...request,
    method: 'OPTIONS',
    headers: [...request.headers, ['access-control-request-method', request.method]],
  }),
  (request, draw) => ({
    ...request,
    target: `${request.target}${draw.pick(['/', '//', '?', '?a=b&a=c', '#x', '%', '?metadata[__proto__]=x', '?__proto__[a]=b'])}`,
  }),
  (request, draw) => ({
    ...request,
    target: request.target.split('&').slice(draw.below(2)).join('&') || '/',
  }),
  (request, draw) => ({ ...request, headers: [...request.headers, [...draw.pick(HEADERS)]] }),
  (request, draw) => replaceHeader(request, draw.pick(HEADERS)),
  (request, draw) => {
    const left = draw.below(request.headers.length);
    return { ...request, headers: request.headers.filter((_, i) => i !== left) };
  },
  request => ({ ...request, target: `http://${request.headers[0]?.[1] ?? 'x'}${request.target}` }),
];

export function spoilRequest(request: FuzzRequest, draw: Draw): FuzzRequest {
  const spoiled = draw.pick(SPOILERS)(request, draw);
  return draw.chance(0.3) ? draw.pick(SPOILERS)(spoiled, draw) : spoiled;
}

function spoilPath(target: string, draw: Draw): string {
  const [path = '', query] = target.split('?');
  const segments = path.split('/');
  segments[1 + draw.below(Math.max(1, segments.length - 1))] = draw.pick(SEGMENTS);
  return segments.join('/') + (query === undefined ? '' : `?${query}`);
}

function replaceHeader(request: FuzzRequest, [name, value]: readonly [string, string]): FuzzRequest {
  return { ...request, headers: [...request.headers.filter(([other]) => other !== name), [name, value]] };
}
