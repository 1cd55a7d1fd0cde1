// The Python that the next start of the local cloud trains with, if any.
import { describeTorch } from '../../../lib/contract/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import { type LastingOptions, readOptions } from '../cloud/lasting-options.js';
import { TORCH_OFF } from '../cloud/settings.js';
import { type Check, outcomesOf } from './check.js';

const { ok, problem } = outcomesOf('torch');

const HINT = 'Choose another one with "svc cloud start --torch PYTHON", or none with "--torch off".';

export async function checkTorch(home: string): Promise<Check[]> {
  // The check of the base model reports a file that cannot be read.
  const { torch = TORCH_OFF } = await readOptions(cloudFolder(home)).catch((): LastingOptions => ({}));
  return torch === TORCH_OFF ? [] : [await checkPython(String(torch))];
}

async function checkPython(python: string): Promise<Check> {
  try {
    // Loaded lazily because it loads the database's native code, which may be broken here.
    const { probeTorch } = await import('../../../lib/cloud/index.js');
    const facts = await probeTorch(python);
    const text = describeTorch(facts);
    return facts.problem == null ? ok(text) : problem(text, HINT);
  } catch (error) {
    return problem((error as Error).message, null);
  }
}
