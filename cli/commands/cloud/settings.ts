// From the options of `svc cloud start` to what the cloud is made with, and back: to the words that start it elsewhere.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServeOptions } from '../../../lib/cloud/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Input, Io, OptionValues } from '../../command.js';
import { CommandError, createUsageError } from '../../command-error.js';
import { isOnHub } from './base-model.js';
import { findFolder } from './folder.js';

const where = 'cloud start';

/** Everything but the base model. */
export function readSettings(
  input: Pick<Input, 'values'>,
  io: Pick<Io, 'env' | 'cwd'>,
): Omit<ServeOptions, 'baseModel'> {
  const { values } = input;
  const text = (name: string) => values[name] as string | undefined;
  if (values.anonymous && values['no-anonymous'])
    throw createUsageError('--anonymous and --no-anonymous exclude each other.', where);
  return {
    folder: findFolder(input, io),
    version: packageJson.version,
    host: text('host'),
    port: readNumber('--port', text('port'), 65_535),
    firstPort: readNumber('SVC_CLOUD_PORT', io.env.SVC_CLOUD_PORT || undefined, 65_535),
    domain: text('domain'),
    tls: readTls(text('tls-cert'), text('tls-key'), io.cwd),
    behindProxy: values['behind-proxy'] === true,
    anonymous: values.anonymous ? true : values['no-anonymous'] ? false : undefined,
    concurrency: readNumber('--concurrency', text('concurrency'), 64),
  };
}

const PATHS = ['tls-cert', 'tls-key'];

/** The words that ask another process for the same; it stands elsewhere, so paths are made absolute. */
export function toWords(values: OptionValues, cwd: string): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (['data', 'foreground', 'json'].includes(name)) return [];
    if (typeof value !== 'string') return value === true ? [`--${name}`] : [];
    const isPath = PATHS.includes(name) || (name === 'base-model' && !isOnHub(value, cwd));
    return [`--${name}=${isPath ? resolve(cwd, value) : value}`];
  });
}

function readNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw createUsageError(`${name} must be a whole number from 1 to ${most}, not "${text}".`, where);
}

function readTls(cert: string | undefined, key: string | undefined, cwd: string): ServeOptions['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw createUsageError('--tls-cert and --tls-key go together.', where);
  return { cert: readPem(resolve(cwd, cert)), key: readPem(resolve(cwd, key)) };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
