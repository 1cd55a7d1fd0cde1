// Turns the options of `svc cloud start` into the cloud's settings.
import { readFileSync } from 'node:fs';
import { assertSecureUrl } from '../../../lib/client/index.js';
import type { RunCloudOptions } from '../../../lib/cloud/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { CommandError, type Io, UsageError } from '../../command.js';
import { requireUsablePort } from '../usable-port.js';
import type { LastingOptions } from './lasting-options.js';

/** The value of `--torch` that returns to svc's own engine. */
export const TORCH_OFF = 'off';

/** The default OAuth client ID at the provider. */
const CLIENT_ID = 'svc';

/** A year. */
const MOST_HOURS = 8760;

/** All settings except the base model. */
export function readSettings(
  options: LastingOptions,
  folder: string,
  { env }: Pick<Io, 'env'>,
): Omit<RunCloudOptions, 'baseModel'> {
  const text = (name: string) => options[name] as string | undefined;
  return {
    folder,
    version: packageJson.version,
    ...readExposure(options),
    port: readPort('--port', text('port')),
    firstPort: readPort('SVC_CLOUD_PORT', env.SVC_CLOUD_PORT || undefined),
    domain: text('domain'),
    tls: readTls(text('tls-cert'), text('tls-key')),
    oauth: readProvider(text('oauth-issuer'), text('oauth-audience'), text('oauth-client-id')),
    baseWeights: readWeights(options, env),
    device: readDevice(options, env),
    torch: readTorch(options),
    memory: readMemory(text('memory')),
    storeHours: options['no-store'] ? 0 : readNumber('--store-for', text('store-for'), MOST_HOURS),
    concurrency: readNumber('--concurrency', text('concurrency'), text('ray') === undefined ? 64 : 1000),
    ray: readRay(options),
    vllm: readVllm(options),
  };
}

/** Where it listens, and whether it creates anonymous identities. */
export function readExposure(
  options: LastingOptions,
): Pick<RunCloudOptions, 'host' | 'behindProxy' | 'anonymous'> {
  const host = options.host as string | undefined;
  return {
    // IPv6 addresses are in brackets only in URLs.
    host: host?.replace(/^\[(.*)\]$/, '$1'),
    behindProxy: options['behind-proxy'] === true,
    anonymous: options.anonymous ? true : options['no-anonymous'] ? false : undefined,
  };
}

function readRay(options: LastingOptions): RunCloudOptions['ray'] {
  const {
    ray: url,
    'ray-token-file': tokenFile,
    'advertise-url': advertiseUrl,
  } = options as Record<string, string>;
  if (url === undefined) {
    refuseWithout('ray', ['ray-token-file', 'advertise-url', 'ray-autoscaling', ...RAY_SERVE], options);
    return undefined;
  }
  requireHttp(url, '--ray must be the URL of a Ray dashboard, such as http://head:8265');
  return {
    url,
    tokenFile,
    advertiseUrl: advertiseUrl === undefined ? undefined : readAdvertised(advertiseUrl),
    autoscaling: options['ray-autoscaling'] === true,
    serve: readRayServe(options),
  };
}

/** Rows and adapters are sent to and from this address. */
function readAdvertised(text: string): string {
  try {
    return assertSecureUrl(text).replace(/\/+$/, '');
  } catch {
    throw new UsageError(
      `--advertise-url must start with https://, or with http:// for this machine, such as the end of an SSH tunnel, not "${text}".`,
    );
  }
}

function readPort(name: string, text: string | undefined): number | undefined {
  const port = readNumber(name, text, 65_535);
  return port === undefined ? undefined : requireUsablePort(name, port);
}

function readNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`${name} must be a whole number from 1 to ${most}, not "${text}".`);
}

function readWeights(options: LastingOptions, { SVC_DEVICE }: Io['env']): RunCloudOptions['baseWeights'] {
  const text = options['base-weights'];
  if (text === 'f16') {
    if (options.ray !== undefined || readTorch(options) !== undefined)
      throw new UsageError('--base-weights f16 cannot be combined with --torch or --ray.');
    if ((options.device ?? SVC_DEVICE) !== 'gpu')
      throw new UsageError('--base-weights f16 needs --device gpu: the CPU does not have it.');
    return text;
  }
  if (text === 'nf4') {
    if (options.ray === undefined && readTorch(options) === undefined)
      throw new UsageError('--base-weights nf4 needs --torch or --ray: only PyTorch has it.');
    return text;
  }
  if (text === undefined || text === 'auto' || text === 'f32' || text === 'int8') return text;
  throw new UsageError(`--base-weights must be auto, f32, f16, int8 or nf4, not "${text}".`);
}

function readDevice(options: LastingOptions, { SVC_DEVICE }: Io['env']): RunCloudOptions['device'] {
  const { device: typed, ray, 'base-weights': weights } = options;
  if (typed !== undefined && typed !== 'auto' && ray !== undefined)
    throw new UsageError('--device cannot be combined with --ray.');
  if (typed === 'gpu' && weights === 'int8')
    throw new UsageError('--base-weights int8 cannot be combined with --device gpu.');
  const [name, device] = typed === undefined ? ['SVC_DEVICE', SVC_DEVICE || undefined] : ['--device', typed];
  if (device === undefined || device === 'auto' || device === 'cpu' || device === 'gpu') return device;
  throw new UsageError(`${name} must be auto, cpu or gpu, not "${device}".`);
}

function readTorch({ torch, ray }: LastingOptions): string | undefined {
  if (typeof torch !== 'string' || torch === TORCH_OFF) return undefined;
  if (ray !== undefined)
    throw new UsageError(
      '--torch cannot be combined with --ray: a cluster has its own PyTorch. To stop using it, pass --torch off.',
    );
  return torch;
}

const UNITS: Readonly<Record<string, number>> = { MB: 2 ** 20, GB: 2 ** 30 };

function readMemory(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(MB|GB)$/i.exec(text) ?? [];
  const bytes = Number(amount) * UNITS[unit?.toUpperCase() ?? '']!;
  if (bytes >= UNITS.MB!) return Math.floor(bytes);
  throw new UsageError(`--memory must be a size such as 4GB or 512MB, not "${text}".`);
}

function readProvider(
  issuer: string | undefined,
  audience: string | undefined,
  clientId = CLIENT_ID,
): RunCloudOptions['oauth'] {
  if (issuer === undefined && audience === undefined) return undefined;
  if (issuer === undefined || audience === undefined)
    throw new UsageError('--oauth-issuer and --oauth-audience must be used together.');
  if (audience === '') throw new UsageError('--oauth-audience must not be empty.');
  try {
    return { issuer: assertSecureUrl(issuer), audience, clientId };
  } catch {
    throw new UsageError(
      `--oauth-issuer must start with https://, or with http:// for this machine, not "${issuer}".`,
    );
  }
}

function readTls(cert: string | undefined, key: string | undefined): RunCloudOptions['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('--tls-cert and --tls-key must be used together.');
  return { cert: readPem(cert), key: readPem(key) };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`Cannot read ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

type RayServe = NonNullable<NonNullable<RunCloudOptions['ray']>['serve']>;

/** The options that set who answers chats, if not this machine. */
const RAY_SERVE = ['ray-serve', 'ray-replicas', 'ray-replica-cpus'] as const;

const DEFAULT_REPLICAS = '1..4';
const MOST_REPLICAS = 1000;
const MOST_CPUS = 1024;

/** @internal */
export function readRayServe(options: LastingOptions): RayServe | undefined {
  const [serve, ...others] = RAY_SERVE;
  const [url, replicas = DEFAULT_REPLICAS, cpus = '1'] = RAY_SERVE.map(
    name => options[name] as string | undefined,
  );
  if (url === undefined) {
    refuseWithout(serve, others, options);
    return undefined;
  }
  requireHttp(url, '--ray-serve must be the address of Ray Serve, such as http://head:8000');
  return { url, replicas: readReplicas(replicas), cpus: readCpus(cpus) };
}

/** @internal */
export function readVllm(options: LastingOptions): RunCloudOptions['vllm'] {
  const { vllm: url, 'vllm-token-file': tokenFile } = options as Record<string, string | undefined>;
  if (url === undefined) {
    refuseWithout('vllm', ['vllm-token-file'], options);
    return undefined;
  }
  if ('ray-serve' in options) throw new UsageError('--vllm cannot be combined with --ray-serve.');
  requireHttp(url, '--vllm must be the address of a vLLM server, such as http://localhost:8000');
  return { url, tokenFile };
}

/** Rejects options that have no effect without another one. */
function refuseWithout(other: string, names: readonly string[], options: LastingOptions): void {
  const stray = names.find(name => name in options);
  if (stray !== undefined) throw new UsageError(`--${stray} can only be used with --${other}.`);
}

function requireHttp(text: string, rule: string): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${rule}, not "${text}".`);
}

/** A single number sets both the minimum and the maximum. */
function readReplicas(text: string): RayServe['replicas'] {
  const [, least, most = least] = /^(\d{1,4})(?:\.\.(\d{1,4}))?$/.exec(text) ?? [];
  const [min, max] = [Number(least), Number(most)];
  if (max >= 1 && min <= max && max <= MOST_REPLICAS) return { min, max };
  throw new UsageError(
    `--ray-replicas must be a number of replicas or bounds such as 1..4, up to ${MOST_REPLICAS}, not "${text}".`,
  );
}

function readCpus(text: string): number {
  const cpus = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && cpus > 0 && cpus <= MOST_CPUS) return cpus;
  throw new UsageError(`--ray-replica-cpus must be a number of CPUs, not "${text}".`);
}
