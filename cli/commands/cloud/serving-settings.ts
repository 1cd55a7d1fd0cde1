// The options of `svc cloud start` that say who answers chats, if not this machine.
import type { ServeOptions } from '../../../lib/cloud/index.js';
import { createUsageError } from '../../command-error.js';
import type { LastingOptions } from './lasting-options.js';

type RayServe = NonNullable<NonNullable<ServeOptions['ray']>['serve']>;

const where = 'cloud start';
const [SERVE, REPLICAS, CPUS] = ['ray-serve', 'ray-replicas', 'ray-replica-cpus'] as const;

export const RAY_SERVE_OPTIONS: readonly string[] = [SERVE, REPLICAS, CPUS];

const DEFAULT_REPLICAS = '1..4';
const MOST_REPLICAS = 1000;
const MOST_CPUS = 1024;

export function readRayServe(options: LastingOptions): RayServe | undefined {
  const { [SERVE]: url, [REPLICAS]: replicas, [CPUS]: cpus } = options as Record<string, string | undefined>;
  if (url === undefined) {
    const other = [REPLICAS, CPUS].find(name => name in options);
    if (other !== undefined) throw createUsageError(`--${other} can only be used with --ray-serve.`, where);
    return undefined;
  }
  if (!isHttp(url))
    throw createUsageError(
      `--ray-serve must be the address of Ray Serve, such as http://head:8000, not "${url}".`,
      where,
    );
  return { url, replicas: readReplicas(replicas ?? DEFAULT_REPLICAS), cpus: readCpus(cpus ?? '1') };
}

export function readVllm(options: LastingOptions): ServeOptions['vllm'] {
  const { vllm: url, 'vllm-token-file': tokenFile } = options as Record<string, string | undefined>;
  if (url === undefined) {
    if (tokenFile !== undefined)
      throw createUsageError('--vllm-token-file can only be used with --vllm.', where);
    return undefined;
  }
  if (SERVE in options) throw createUsageError('--vllm cannot be combined with --ray-serve.', where);
  if (!isHttp(url))
    throw createUsageError(
      `--vllm must be the address of a vLLM server, such as http://localhost:8000, not "${url}".`,
      where,
    );
  return { url, tokenFile };
}

const isHttp = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** One number for as many at all times. */
function readReplicas(text: string): RayServe['replicas'] {
  const [, least, most = least] = /^(\d{1,4})(?:\.\.(\d{1,4}))?$/.exec(text) ?? [];
  const [min, max] = [Number(least), Number(most)];
  if (max >= 1 && min <= max && max <= MOST_REPLICAS) return { min, max };
  throw createUsageError(
    `--ray-replicas must be a number of replicas or bounds such as 1..4, up to ${MOST_REPLICAS}, not "${text}".`,
    where,
  );
}

function readCpus(text: string): number {
  const cpus = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && cpus > 0 && cpus <= MOST_CPUS) return cpus;
  throw createUsageError(`--ray-replica-cpus must be a number of CPUs, not "${text}".`, where);
}
