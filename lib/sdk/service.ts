// A service: what an entry file exports, and what the command line finds in it.
import type { Trainer } from './trainer/trainer.js';

/** Known across copies of this package: a project's own may differ from the one that the command line came with. */
export const SERVICE_MARK = 'svc.service';
const MARK = Symbol.for(SERVICE_MARK);

export interface ServiceOptions {
  /** The one trainer of the project. */
  trainer?: Trainer;
}

export interface Service {
  readonly trainer: Trainer | null;
}

/** Declares what a project has. Export it as `service`, or as the default, from `src/svc/index.ts`. */
export function createService({ trainer, ...others }: ServiceOptions = {}): Service {
  // biome-ignore lint/complexity/noArguments: another parameter would be part of the type.
  if (arguments.length > 1)
    throw new TypeError('createService: it takes one argument, and a project has one trainer.');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`createService: there is no option \`${unknown}\`.`);
  if (trainer !== undefined && typeof trainer?.start !== 'function')
    throw new TypeError('createService: `trainer` must come from createTrainer, and there is one only.');
  return Object.defineProperty({ trainer: trainer ?? null }, MARK, { value: true });
}

/** The service that a module exports; null when it exports none. */
export function findService(module: Readonly<Record<string, unknown>>): Service | null {
  const services = Object.entries(module).filter((entry): entry is [string, Service] => isService(entry[1]));
  return chooseService(Object.fromEntries(services));
}

/** Of the services that a module exports, by name, the one that is run: there must be no other. */
export function chooseService<S>(services: Readonly<Record<string, S>>): S | null {
  const names = Object.keys(services);
  if (new Set(Object.values(services)).size > 1)
    throw new TypeError(
      `The entry exports ${names.length} services: ${names.join(', ')}. A project has one, exported as \`service\` or as the default.`,
    );
  return services.service ?? services.default ?? null;
}

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && MARK in value;
}
