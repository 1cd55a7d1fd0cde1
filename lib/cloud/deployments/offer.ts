// What a deployment offers, and which web pages may call it.
import { DEFAULT_OPERATION, OPERATION_NAMES, type Operation } from '../../contract/index.js';
import type { Tables } from '../store/tables.js';

interface Offer {
  /** In the order of the contract, without repetitions. */
  operations: Operation[];
  corsOrigins: string[];
}

type OfferInput = { [name in keyof Offer]?: Offer[name] | undefined };

type OfferColumns = Pick<Tables['deployments'], 'operations' | 'cors_origins'>;

/** The columns after a request; `current` is null for a new deployment. The default needs no naming. */
export function decideOffer(given: OfferInput, current: OfferColumns | null): OfferColumns {
  const { operations, corsOrigins } = {
    ...(current ? readOffer(current) : { operations: [], corsOrigins: [] }),
    ...(given.operations && { operations: given.operations }),
    ...(given.corsOrigins && { corsOrigins: given.corsOrigins }),
  };
  const named = new Set<Operation>([DEFAULT_OPERATION, ...operations]);
  return {
    operations: JSON.stringify(OPERATION_NAMES.filter(name => named.has(name))),
    cors_origins: JSON.stringify([...new Set(corsOrigins)]),
  };
}

export function readOffer({ operations, cors_origins }: OfferColumns): Offer {
  return { operations: JSON.parse(operations), corsOrigins: JSON.parse(cors_origins) };
}
