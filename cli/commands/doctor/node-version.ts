// Whether Node meets the requirement in package.json.
import packageJson from '../../../package.json' with { type: 'json' };
import type { Check } from './check.js';

const required = packageJson.engines.node.replace('>=', '');

export async function checkNode(version: string): Promise<Check> {
  const isNewEnough = version.localeCompare(required, 'en', { numeric: true }) >= 0;
  return {
    name: 'node',
    status: isNewEnough ? 'ok' : 'problem',
    message: `Node ${version}`,
    hint: isNewEnough ? null : `svc requires Node ${required} or later: https://nodejs.org`,
  };
}
