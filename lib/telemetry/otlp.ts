// Spans in OTLP's JSON, as collectors take them at `/v1/traces`.
import type { Attributes, EndedSpan } from './tracer.js';

export interface Resource {
  serviceName: string;
  version: string;
}

const KINDS = { internal: 1, server: 2 } as const;
const ERROR = 2;

export function toOtlp(spans: readonly EndedSpan[], { serviceName, version }: Resource): object {
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
