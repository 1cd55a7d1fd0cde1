// Tickets for the machines that serve this cloud's models. A ticket is a keyed digest of what it grants access to, so none
// is stored, and all derive from the cloud's secret, so they survive a restart.
import { createHash, createHmac } from 'node:crypto';
import { type Clock, realClock } from '../../clock/index.js';
import { isSameText } from '../auth/token.js';

export interface Tickets {
  /** Grants access to the base model's files, as long as the cloud keeps its secret. */
  forModel(): string;
  /** Grants access to one adapter, for a limited time. */
  forAdapter(sha256: string): string;
  opensModel(ticket: string): boolean;
  opensAdapter(ticket: string, sha256: string): boolean;
  /** The credentials that the cloud sends to those machines. */
  readonly callerToken: string;
  /** The secret's digest, by which the machines recognize the cloud. */
  readonly callerDigest: string;
  /** Distinguishes clouds. */
  readonly owner: string;
}

const LIFE_MS = 10 * 60_000;

export function createTickets(secret: string, clock: Clock = realClock): Tickets {
  const key = createHmac('sha256', secret).update('svc serving').digest();
  const sign = (what: string) => createHmac('sha256', key).update(what).digest('base64url');
  const signAdapter = (sha256: string, until: string) => `${until}.${sign(`adapter ${sha256} ${until}`)}`;
  const callerToken = sign('caller');
  return {
    forModel: () => sign('model'),
    forAdapter: sha256 => signAdapter(sha256, String(clock.now() + LIFE_MS)),
    opensModel: ticket => isSameText(ticket, sign('model')),
    opensAdapter(ticket, sha256) {
      const [until = ''] = ticket.split('.');
      return Number(until) > clock.now() && isSameText(ticket, signAdapter(sha256, until));
    },
    callerToken,
    callerDigest: createHash('sha256').update(callerToken).digest('hex'),
    owner: sign('owner').slice(0, 16),
  };
}
