// Traces for OpenTelemetry, over OTLP/HTTP.
import type { Clock } from '../clock/index.js';
import { createExporter } from './exporter.js';
import type { TraceSettings } from './settings.js';
import { createTracer, type Tracer } from './tracer.js';

export { readTraceSettings, type TraceSettings } from './settings.js';
export { type Attributes, readTraceParent, type Span, type Tracer } from './tracer.js';

export interface Traces {
  readonly tracer: Tracer;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

export function openTraces(
  settings: TraceSettings,
  options: { version: string; clock: Clock; log(message: string): void },
): Traces {
  const exporter = createExporter({ ...settings, ...options });
  return { tracer: createTracer(options.clock, exporter.add), close: exporter.close };
}
