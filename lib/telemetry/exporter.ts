// Sends spans to a collector in OTLP's JSON, some at a time. It never makes anyone wait: while the collector is away, a limited
// number of spans is kept, and what comes then is dropped.
import type { Clock, Timer } from '../clock/index.js';
import type { TraceSettings } from './settings.js';
import type { Attributes, EndedSpan } from './tracer.js';

export interface ExporterOptions extends TraceSettings {
  version: string;
  clock: Clock;
  /** Told when the collector cannot be reached or refuses spans, and when it takes them again. */
  log(message: string): void;
  fetch?: typeof fetch | undefined;
}

export interface SpanExporter {
  add(span: EndedSpan): void;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

const MOST_KEPT = 4096;
const MOST_SENT = 512;
const PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
const ANSWER_MS = 10_000;
const LAST_MS = 3000;
/** A collector that is busy. Other refusals stay what they are. */
const PASSING = new Set([429, 502, 503, 504]);

export function createExporter(options: ExporterOptions): SpanExporter {
  const { url, headers, serviceName, version, clock, log, fetch = globalThis.fetch } = options;
  const { origin, pathname } = new URL(url);
  /** A query may have a key. */
  const collector = `${origin}${pathname}`;
  const resource: Resource = { serviceName, version };
  const closed = new AbortController();
  let waiting: EndedSpan[] = [];
  /** Since the collector took any. */
  let dropped = 0;
  let failures = 0;
  /** What was logged since then. */
  let [isAway, refusal]: [boolean, string | null] = [false, null];
  let timer: Timer | null = null;
  let sending: Promise<void> | null = null;

  function schedule(): void {
    if (timer || sending || closed.signal.aborted || waiting.length === 0) return;
    const pause = Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    timer = clock.after(failures === 0 && waiting.length >= MOST_SENT ? 0 : pause, () => {
      timer = null;
      void flush(clock.deadline(ANSWER_MS));
    });
  }

  function flush(limit: AbortSignal): Promise<void> {
    sending ??= send(waiting.slice(0, MOST_SENT), limit).finally(() => {
      sending = null;
      schedule();
    });
    return sending;
  }

  async function send(batch: readonly EndedSpan[], limit: AbortSignal): Promise<void> {
    const problem = await post(batch, limit);
    if (problem?.mayPass) {
      failures++;
      if (!isAway) log(`Traces cannot be sent to ${collector}: ${problem.reason}. Trying again.`);
      isAway = true;
      return;
    }
    waiting = waiting.slice(batch.length);
    failures = 0;
    if (problem) {
      dropped += batch.length;
      if (problem.reason !== refusal)
        log(`${collector} refuses traces: ${problem.reason}. They are dropped until it takes them.`);
      refusal = problem.reason;
      return;
    }
    if (isAway || refusal !== null)
      log(
        `Traces are sent to ${collector} again. ${dropped} ${dropped === 1 ? 'span was' : 'spans were'} dropped.`,
      );
    [dropped, isAway, refusal] = [0, false, null];
  }

  async function post(
    batch: readonly EndedSpan[],
    limit: AbortSignal,
  ): Promise<{ reason: string; mayPass: boolean } | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        // The headers may have a key, which must not follow to another address.
        redirect: 'manual',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(toOtlp(batch, resource)),
        signal: limit,
      });
      await response.body?.cancel();
      if (response.ok) return null;
      return { reason: `status ${response.status}`, mayPass: PASSING.has(response.status) };
    } catch (error) {
      const { message, cause } = error as { message: string; cause?: { code?: string } };
      return { reason: cause?.code ?? message, mayPass: true };
    }
  }

  return {
    add(span) {
      if (closed.signal.aborted) return;
      if (waiting.length >= MOST_KEPT) {
        dropped++;
        return;
      }
      waiting.push(span);
      // A full batch need not wait.
      if (failures === 0 && waiting.length === MOST_SENT) {
        timer?.stop();
        timer = null;
      }
      schedule();
    },
    async close() {
      closed.abort();
      timer?.stop();
      const limit = clock.deadline(LAST_MS);
      const late = new Promise<void>(resolve =>
        limit.addEventListener('abort', () => resolve(), { once: true }),
      );
      await Promise.race([sending, late]);
      while (waiting.length > 0 && failures === 0 && !limit.aborted) await flush(limit);
    },
  };
}

interface Resource {
  serviceName: string;
  version: string;
}

const KINDS = { internal: 1, server: 2 } as const;
const ERROR = 2;

function toOtlp(spans: readonly EndedSpan[], { serviceName, version }: Resource): object {
  const resource = { attributes: toAttributes({ 'service.name': serviceName, 'service.version': version }) };
  const scope = { name: 'svc', version };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(toSpan) }] }] };
}

function toSpan({ parentId, kind, startedAt, endedAt, attributes, failure, ...span }: EndedSpan): object {
  return {
    ...span,
    ...(parentId !== null && { parentSpanId: parentId }),
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(startedAt),
    endTimeUnixNano: toNanoseconds(endedAt),
    attributes: toAttributes(attributes),
    ...(failure !== null && { status: { code: ERROR, message: failure } }),
  };
}

/** Numbers of JSON do not have as many digits. */
function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function toAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: NonNullable<Attributes[string]>): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map(toValue) } };
}
