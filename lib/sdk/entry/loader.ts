// The program that loads a build and reports over IPC what it found. It runs in its own process, so it is plain text
// and imports none of our code.
import { SERVICE_MARK } from '../service.js';

export interface LoadedTrainer {
  name?: unknown;
  model?: unknown;
  maxSteps?: unknown;
  /** `rows`: how many there are. */
  dataset?: { path?: unknown; name?: unknown; url?: unknown; rows?: unknown };
}

/** The only message. Trainers come from the project's copy of this package, so nothing about them is certain. */
export type Loaded =
  | {
      /** Export names to service numbers; a number is also the index of the service's trainer. */
      services: Record<string, number>;
      trainers: (LoadedTrainer | null)[];
    }
  | { error: string };

/** Its only argument is the URL of the build. */
export const LOADER = `
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const isService = value => typeof value === 'object' && value !== null && Symbol.for('${SERVICE_MARK}') in value;
const send = process.send.bind(process);
process.on('disconnect', () => process.exit());
process.channel.unref();

async function load(address) {
  const module = await import(address);
  const exported = Object.entries(module).filter(([, value]) => isService(value));
  const services = [...new Set(exported.map(([, service]) => service))];
  return {
    services: Object.fromEntries(exported.map(([name, service]) => [name, services.indexOf(service)])),
    trainers: services.map(({ trainer }) => trainer && summarize(trainer)),
  };
}

function summarize({ name, options }) {
  const { path, name: called, url, rows } = options?.dataset ?? {};
  const dataset = { path, name: called, url: url && String(url), rows: Array.isArray(rows) ? rows.length : undefined };
  return { name, model: options?.model, maxSteps: options?.maxSteps, dataset };
}

const places = [process.cwd() + sep, pathToFileURL(process.cwd()).href + '/'];
const foreign = /\\[eval\\d*\\]|[\\\\/]node_modules[\\\\/]/;
const isOwn = line => /^\\s+at /.test(line) && places.some(place => line.includes(place)) && !foreign.test(line);

function describe(error) {
  if (!(error instanceof Error)) return 'The entry threw: ' + String(error);
  const name = error.name === 'Error' ? '' : error.name + ': ';
  const frames = String(error.stack).split('\\n').filter(isOwn).slice(0, 3);
  return ['The entry threw: ' + name + error.message, ...frames].join('\\n');
}

const loaded = await load(process.argv[1]).catch(error => ({ error: describe(error) }));
send(loaded, () => process.exit());
`;
