import { expect, it } from 'vitest';
import { readTraceParent, readTraceSettings } from '../../lib/telemetry/index.js';

const at = (url: string) => ({ url, headers: {}, serviceName: 'svc' });

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, at('http://localhost:4318/v1/traces')],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' }, at('https://c.example/otlp/v1/traces')],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/x?key=a' }, at('https://c.example/x/v1/traces?key=a')],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/t' }, at('https://c.example/t')],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b==, x=1,broken,=2,bad name=3',
      OTEL_SERVICE_NAME: 'mine',
    },
    {
      url: 'http://localhost:4318/v1/traces',
      headers: { 'api-key': 'a b==', x: '1' },
      serviceName: 'mine',
    },
  ],
])('reads %j', (env, settings) => {
  expect(readTraceSettings(env)).toEqual(settings);
});

it.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_SERVICE_NAME: 'x' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'TRUE' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_TRACES_EXPORTER: 'none' },
])('sends nothing with %j', env => {
  expect(readTraceSettings(env)).toBeNull();
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:pw@host' }, 'without a user name'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'http/json'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=secret\nb=1' },
    'OTEL_EXPORTER_OTLP_HEADERS has characters that no header can have',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h:4318', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=secret%E2%80%A6' },
    /^(?!.*secret)OTEL_EXPORTER_OTLP_TRACES_HEADERS has characters that no header can have/,
  ],
])('refuses %j', (env, message) => {
  expect(() => readTraceSettings(env)).toThrow(message);
});

it("reads a caller's span", () => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  expect(readTraceParent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId });
  const odd = [
    null,
    '',
    '00-x-y-01',
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
  ];
  for (const header of odd) expect(readTraceParent(header)).toBeNull();
});
