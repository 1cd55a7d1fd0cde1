// Topics of messages, by the desk that handles them.
export const TOPICS = {
  coin: ['bill', 'charge', 'fee', 'invoice', 'payment', 'refund'],
  haul: ['box', 'delivery', 'package', 'parcel', 'shipment'],
  mend: ['battery', 'charger', 'handle', 'motor', 'screen', 'switch'],
  door: ['account', 'login', 'password', 'profile', 'username'],
  exit: ['contract', 'membership', 'newsletter', 'plan', 'subscription', 'trial'],
} as const;

export type Desk = keyof typeof TOPICS;
export const DESKS = Object.keys(TOPICS) as Desk[];
