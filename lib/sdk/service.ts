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
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`createService: there is no option \`${unknown}\`.`);
  if (trainer !== undefined && typeof trainer?.start !== 'function')
    throw new TypeError('createService: `trainer` must come from createTrainer, and there is one only.');
  return Object.defineProperty({ trainer: trainer ?? null }, MARK, { value: true });
}

/** The service that a module exports, as `service` or as its default; null when it exports none. */
export function findService(module: Readonly<Record<string, unknown>>): Service | null {
  const found = [module.service, module.default].find(isService);
  return found ?? null;
}

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && MARK in value;
}
