// A service: what an entry file exports and the command line looks for.
import { OptionError } from '../contract/option-error.js';
import type { Sweep } from './trainer/sweep.js';
import type { Trainer } from './trainer/trainer.js';

/** Shared across copies of this package, because the project's copy may differ from the command line's. */
export const SERVICE_MARK = 'svc.service';
const MARK = Symbol.for(SERVICE_MARK);

/** The trainer or sweep that a project runs. */
export type ServiceTrainer = Trainer | Sweep;

export interface ServiceOptions {
  /** The project's only trainer, or a sweep of it. */
  trainer?: ServiceTrainer;
}

export interface Service {
  readonly trainer: ServiceTrainer | null;
}

/** Declares what a project has. Export it from `src/svc/index.ts`, as `service` or as the default export. */
export function createService(options: ServiceOptions = {}): Service {
  // biome-ignore lint/complexity/noArguments: a rest parameter would show up in the type.
  if (arguments.length > 1)
    throw new OptionError('createService takes one argument; a project has only one trainer.');
  if (typeof options !== 'object' || options === null)
    throw new OptionError('createService: pass an object with options.');
  const { trainer, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new OptionError(`createService: unknown option \`${unknown}\`.`);
  if (trainer !== undefined && typeof trainer?.start !== 'function')
    throw new OptionError('createService: `trainer` must be a single trainer from createTrainer.');
  return Object.defineProperty({ trainer: trainer ?? null }, MARK, { value: true });
}

/** The service a module exports; null if it exports none. */
export function findService(module: Readonly<Record<string, unknown>>): Service | null {
  const services = Object.entries(module).filter((entry): entry is [string, Service] => isService(entry[1]));
  return chooseService(Object.fromEntries(services));
}

/** The service to run, out of a module's exports by name. Throws if there is more than one. */
export function chooseService<S>(services: Readonly<Record<string, S>>): S | null {
  const names = Object.keys(services);
  if (new Set(Object.values(services)).size > 1)
    throw new OptionError(
      `The entry exports ${names.length} services: ${names.join(', ')}. Export only one, as \`service\` or as the default export.`,
    );
  return services.service ?? services.default ?? null;
}

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && MARK in value;
}
