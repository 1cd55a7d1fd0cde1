// Spans of OpenTelemetry: what something took, and what it was part of.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock/index.js';

type Value = string | number | boolean | readonly string[];

/** Missing ones are left out. */
export type Attributes = Readonly<Record<string, Value | null | undefined>>;

/** Which trace something belongs to, and its span. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

export interface EndedSpan extends SpanContext {
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'server';
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  /** Why it failed; null if it did not. */
  readonly failure: string | null;
}

interface SpanOptions {
  kind?: EndedSpan['kind'];
  /** Default: what runs now, or a trace of its own. */
  parent?: SpanContext | null | undefined;
  attributes?: Attributes;
}

export interface Span extends SpanContext {
  set(attributes: Attributes): void;
  /** Only the first call counts. */
  end(failure?: string | null): void;
}

export interface Tracer {
  start(name: string, options?: SpanOptions): Span;
  /** The spans that `work` starts, also later, are part of this one. */
  within<T>(span: SpanContext, work: () => T): T;
}

export function createTracer(clock: Clock, onEnd: (span: EndedSpan) => void): Tracer {
  const current = new AsyncLocalStorage<SpanContext>();
  return {
    within: (span, work) => current.run(span, work),
    start(name, { kind = 'internal', parent = current.getStore() ?? null, attributes = {} } = {}) {
      const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
      const spanId = randomBytes(8).toString('hex');
      const startedAt = clock.now();
      const since = clock.elapsed();
      let known = attributes;
      let hasEnded = false;
      return {
        traceId,
        spanId,
        set(more) {
          known = { ...known, ...more };
        },
        end(failure = null) {
          if (hasEnded) return;
          hasEnded = true;
          const endedAt = startedAt + (clock.elapsed() - since);
          const parentId = parent?.spanId ?? null;
          onEnd({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes: known, failure });
        },
      };
    },
  };
}

/** The caller's span, from the header `traceparent`; null if there is none that can be used. */
export function readTraceParent(header: string | null): SpanContext | null {
  const [, traceId, spanId] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/.exec(header ?? '') ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId };
}
