// Before a cloud starts that runs its jobs on a Ray cluster: says what would keep the first job from running.
import { checkRay, findUnreachable, type ServeOptions } from '../../../lib/cloud/index.js';
import type { Io } from '../../command.js';
import { CommandError } from '../../command-error.js';
import { printLine } from '../../print.js';
import { toSafeLine } from '../../style.js';
import type { LastingOptions } from './lasting-options.js';

const TYPED = ['ray', 'ray-token-file'];

/**
 * Refuses a cluster that was chosen just now and can never work. One that is away may come back, and a cloud that starts
 * by itself must start, so those only lead to warnings.
 */
export async function checkRayAtStart(
  { ray, domain, tls }: Pick<ServeOptions, 'ray' | 'domain' | 'tls'>,
  typed: LastingOptions,
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
): Promise<void> {
  if (!ray) return;
  const { findings, obstacle } = await checkRay(ray);
  const ownUrl = domain === undefined ? `${tls ? 'https' : 'http'}://localhost` : `https://${domain}`;
  const unreachable = findUnreachable(ray, ray.advertiseUrl ?? ownUrl);
  const wrong = [...findings, ...(unreachable ? [unreachable] : [])].filter(({ status }) => status !== 'ok');
  const isFinal = obstacle === 'unauthorized' || obstacle === 'unsupported';
  const lines = wrong.map(({ message, hint }) =>
    toSafeLine([endSentence(message), hint].filter(Boolean).join(' ')),
  );
  if (isFinal && TYPED.some(name => name in typed)) throw new CommandError(lines.join('\n'));
  for (const line of lines) printLine(stderr, `Warning: ${line}`, env);
  if (lines.length > 0)
    printLine(stderr, 'Jobs wait until this is fixed. "svc doctor --ray" checks it again.', env);
}

const endSentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);
