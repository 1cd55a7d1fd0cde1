// What an endpoint's owner added to it: operations beside chat, and origins whose web pages may call it.
import { DEFAULT_OPERATION, type Deployment } from '../contract/index.js';

interface OfferRow {
  readonly label: 'Operations' | 'CORS';
  readonly values: readonly string[];
}

/** Empty if nothing was added. */
export function offerRows({
  operations,
  corsOrigins,
}: Pick<Deployment, 'operations' | 'corsOrigins'>): OfferRow[] {
  const isDefault = operations.every(name => name === DEFAULT_OPERATION);
  return [
    ...(isDefault ? [] : [{ label: 'Operations', values: operations } as const]),
    ...(corsOrigins.length === 0 ? [] : [{ label: 'CORS', values: corsOrigins } as const]),
  ];
}
