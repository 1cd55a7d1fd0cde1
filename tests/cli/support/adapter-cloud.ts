// A local cloud of the tiny model, for all tests of a `describe`, and an adapter for it: the folder `mine` beside the cloud.
import { basename } from 'node:path';
import { beforeAll } from 'vitest';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { localCloud } from './local-cloud.js';
import { startCli } from './terminal.js';

/** Rounded weights would be others than the merged ones rounded. */
const START = 'cloud start --base-weights f32 --base-model';

export function adapterCloud() {
  const place = localCloud({ of: 'all' });
  const own = {
    /** What it prints; it must succeed. */
    async call(line: string): Promise<string> {
      const { path: cwd, env } = place.home;
      // A cloud that starts from source is silent for long.
      const { exitCode, stdout, stderr } = await startCli(line.split(' '), { cwd, env, piped: '' }).ended;
      if (exitCode !== 0) throw new Error(`svc ${line} ended with ${exitCode}:\n${stderr}`);
      return stdout;
    },
    start: (model: string) => own.call(`${START} ${model}`),
  };
  beforeAll(async () => {
    const settings = { base_model_name_or_path: basename(place.model) };
    await makeAdapterFolder(`${place.home.path}/mine`, place.model, { settings });
    await own.start(place.model);
  }, JOURNEY_TIMEOUT_MS);
  return Object.assign(place, own);
}
