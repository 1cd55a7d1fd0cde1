// `--operations` and `--cors`: what an endpoint offers beside chat, and which web pages may call it.
import { type CloudDeploymentPatch, cloudDeploymentPatch } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import { assertFits, textOption } from '../project/option-values.js';

type Offer = Pick<CloudDeploymentPatch, 'operations' | 'corsOrigins'>;

/** Only what was given. */
export function readOffer(input: Pick<Input, 'values'>, where: string): Offer {
  const operations = listOption(input, 'operations');
  const corsOrigins = listOption(input, 'cors');
  const offer = { ...(operations && { operations }), ...(corsOrigins && { corsOrigins }) };
  assertFits(cloudDeploymentPatch, offer, namesOf(operations ?? [], corsOrigins ?? []), where);
  return offer as Offer;
}

/** `none` is the empty list. */
function listOption(input: Pick<Input, 'values'>, name: string): string[] | undefined {
  const text = textOption(input, name);
  return text === 'none' ? [] : text?.split(',').map(part => part.trim());
}

/** By path in the request. */
function namesOf(operations: readonly string[], origins: readonly string[]): Record<string, string> {
  return {
    operations: 'option "--operations"',
    corsOrigins: 'option "--cors"',
    ...Object.fromEntries(operations.map((name, i) => [`operations[${i}]`, `the operation "${name}"`])),
    ...Object.fromEntries(origins.map((_, i) => [`corsOrigins[${i}]`, 'an entry of "--cors"'])),
  };
}
