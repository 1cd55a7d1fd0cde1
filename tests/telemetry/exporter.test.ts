// What a collector gets, and what happens while there is none.
import { expect, it } from 'vitest';
import { createExporter } from '../../lib/telemetry/exporter.js';
import { createTracer, type EndedSpan } from '../../lib/telemetry/tracer.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const START = Date.UTC(2026, 0, 1);

/** A collector that answers with these statuses in turn, cannot be reached (0) or never answers (null), and 200 after that. */
function open(...statuses: (number | null)[]) {
  const clock = createVirtualClock(START);
  const sent: { url: string; init: RequestInit; spans: Record<string, unknown>[] }[] = [];
  const logged: string[] = [];
  const exporter = createExporter({
    url: 'http://localhost:4318/v1/traces',
    headers: { 'api-key': 'secret' },
    serviceName: 'svc',
    version: '1.2.3',
    clock,
    log: message => void logged.push(message),
    fetch: (async (url: string, init: RequestInit) => {
      const { resourceSpans } = JSON.parse(String(init.body));
      sent.push({ url, init, spans: resourceSpans[0].scopeSpans[0].spans });
      const status = statuses.length === 0 ? 200 : statuses.shift()!;
      if (status === null)
        return new Promise((_, reject) => {
          init.signal!.addEventListener('abort', () => reject(init.signal!.reason));
        });
      if (status === 0) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
      return new Response(null, { status });
    }) as typeof fetch,
  });
  const tracer = createTracer(clock, exporter.add);
  const add = (count: number) => {
    for (let i = 0; i < count; i++) tracer.start(`span ${i}`).end();
  };
  return { clock, sent, logged, exporter, tracer, add };
}

it('sends spans in OTLP, with their parents, times, attributes and failures', async () => {
  const { clock, sent, tracer } = open();
  const outer = tracer.start('outer', {
    kind: 'server',
    attributes: { a: 'x', b: 2, c: 0.5, d: true, e: null },
  });
  const inner = tracer.within(outer, () => tracer.start('inner', { attributes: { list: ['p', 'q'] } }));
  await clock.pass(1500);
  inner.end('It failed.');
  outer.set({ b: 3 });
  outer.end();
  outer.end('twice');
  await clock.pass(2000);
  const [{ url, init, spans }] = sent as [(typeof sent)[0]];
  expect([url, init.method, init.redirect]).toEqual(['http://localhost:4318/v1/traces', 'POST', 'manual']);
  expect(init.headers).toEqual({ 'api-key': 'secret', 'content-type': 'application/json' });
  const nanoseconds = (ms: number) => String(BigInt(START + ms) * 1_000_000n);
  const times = { startTimeUnixNano: nanoseconds(0), endTimeUnixNano: nanoseconds(1500) };
  const { traceId, spanId } = outer;
  expect(spans).toEqual([
    {
      ...{ traceId, spanId: inner.spanId, parentSpanId: spanId, name: 'inner', kind: 1, ...times },
      attributes: [
        { key: 'list', value: { arrayValue: { values: [{ stringValue: 'p' }, { stringValue: 'q' }] } } },
      ],
      status: { code: 2, message: 'It failed.' },
    },
    {
      ...{ traceId, spanId, name: 'outer', kind: 2, ...times },
      attributes: [
        { key: 'a', value: { stringValue: 'x' } },
        { key: 'b', value: { intValue: '3' } },
        { key: 'c', value: { doubleValue: 0.5 } },
        { key: 'd', value: { boolValue: true } },
      ],
    },
  ]);
  expect(traceId).toMatch(/^[\da-f]{32}$/);
  expect(spanId).toMatch(/^[\da-f]{16}$/);
  const { resource } = JSON.parse(String(init.body)).resourceSpans[0];
  expect(resource.attributes).toContainEqual({ key: 'service.version', value: { stringValue: '1.2.3' } });
});

it('sends many spans at a time, and all of them once', async () => {
  const { clock, sent, add } = open();
  add(1300);
  await clock.pass(4000);
  expect(sent.map(({ spans }) => spans.length)).toEqual([512, 512, 276]);
  const ids = sent.flatMap(({ spans }) => spans.map(({ spanId }) => spanId));
  expect(new Set(ids).size).toBe(1300);
  await clock.pass(60_000);
  expect(sent).toHaveLength(3);
});

it('keeps a limited number while the collector is away, and asks less and less often', async () => {
  const { clock, sent, logged, add } = open(...Array<number>(6).fill(0));
  add(5000);
  await clock.pass(60_000);
  expect(sent.length).toBeLessThanOrEqual(6);
  expect(logged).toEqual([
    'Traces cannot be sent to http://localhost:4318/v1/traces: ECONNREFUSED. Trying again.',
  ]);
  await clock.pass(300_000);
  expect(logged.at(-1)).toBe(
    'Traces are sent to http://localhost:4318/v1/traces again. 904 spans were dropped.',
  );
  const arrived = sent.slice(6).flatMap(({ spans }) => spans.map(({ name }) => name));
  expect(arrived).toEqual(Array.from({ length: 4096 }, (_, index) => `span ${index}`));
});

it('drops what a collector refuses for good, and tries again when it is busy', async () => {
  const { clock, sent, logged, add } = open(503, 400);
  add(1);
  await clock.pass(20_000);
  expect(sent).toHaveLength(2);
  expect(logged.at(-1)).toBe(
    'http://localhost:4318/v1/traces refuses traces: status 400. They are dropped until it takes them.',
  );
  add(1);
  await clock.pass(20_000);
  expect(sent).toHaveLength(3);
  expect(logged.at(-1)).toBe('Traces are sent to http://localhost:4318/v1/traces again. 1 span was dropped.');
});

it('says that a collector refuses once, and again for another reason, however often it does', async () => {
  const { clock, sent, logged, add } = open(404, 404, 503, 404, 503, 401, 401);
  for (let batch = 0; batch < 6; batch++) {
    add(3);
    await clock.pass(20_000);
  }
  expect(sent).toHaveLength(8);
  expect(logged).toEqual([
    'http://localhost:4318/v1/traces refuses traces: status 404. They are dropped until it takes them.',
    'Traces cannot be sent to http://localhost:4318/v1/traces: status 503. Trying again.',
    'http://localhost:4318/v1/traces refuses traces: status 401. They are dropped until it takes them.',
    'Traces are sent to http://localhost:4318/v1/traces again. 15 spans were dropped.',
  ]);
});

it('sends what is left when it is closed, but does not wait for a collector that is away', async () => {
  const here = open();
  here.add(600);
  await here.exporter.close();
  expect(here.sent.flatMap(({ spans }) => spans)).toHaveLength(600);
  here.add(1);
  await here.clock.pass(60_000);
  expect(here.sent).toHaveLength(2);

  const away = open(0, 0, 0);
  away.add(600);
  await away.exporter.close();
  expect(away.sent).toHaveLength(1);

  const silent = open(null);
  silent.add(1);
  await silent.clock.pass(2000);
  expect(silent.sent).toHaveLength(1);
  let isClosed = false;
  const closing = silent.exporter.close().then(() => {
    isClosed = true;
  });
  await silent.clock.pass(2900);
  expect(isClosed).toBe(false);
  await silent.clock.pass(200);
  expect(isClosed).toBe(true);
  await closing;
});

it('has spans without a parent in traces of their own', () => {
  const ended: EndedSpan[] = [];
  const tracer = createTracer(createVirtualClock(), span => void ended.push(span));
  for (const name of ['a', 'b']) tracer.start(name).end();
  expect(ended[0]!.traceId).not.toBe(ended[1]!.traceId);
  expect(ended.map(({ parentId }) => parentId)).toEqual([null, null]);
});
