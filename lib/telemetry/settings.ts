// Where traces go, as OpenTelemetry's environment variables say. Nowhere unless one of them names a collector.

export interface TraceSettings {
  /** Where batches are posted. */
  url: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Throws a `TypeError` that names the variable, and shows no header. */
export function readTraceSettings(env: Env): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env;
  if (
    (!all && !own) ||
    env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' ||
    env.OTEL_TRACES_EXPORTER === 'none'
  )
    return null;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/json';
  if (!protocol.startsWith('http/'))
    throw new TypeError(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but svc sends traces over HTTP. Set it to http/json, and the endpoint to the collector's HTTP port.`,
    );
  const url = own
    ? readUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own)
    : withPath(readUrl('OTEL_EXPORTER_OTLP_ENDPOINT', all!), '/v1/traces');
  const headers = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'].map(variable =>
    readHeaders(variable, env[variable]),
  );
  return { url, headers: Object.assign({}, ...headers), serviceName: env.OTEL_SERVICE_NAME || 'svc' };
}

function withPath(address: string, path: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url.href;
}

function readUrl(variable: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new TypeError(
    `${variable} must be the address of a collector, such as http://localhost:4318, without a user name.`,
  );
}

/** Values with other characters are refused by `fetch`, whose error would show them. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** `api-key=secret,tenant=a%20b` */
function readHeaders(variable: string, list = ''): Record<string, string> {
  const pairs = list.split(',').flatMap(pair => {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    return equals > 0 && /^[\w!#$%&'*+.^`|~-]+$/.test(name)
      ? [[name, decode(pair.slice(equals + 1).trim())]]
      : [];
  });
  if (pairs.some(([, value]) => !VALUE.test(value!)))
    throw new TypeError(`${variable} has characters that no header can have, such as line breaks.`);
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
