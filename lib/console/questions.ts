// What is asked before something is made public or stops working for callers.
import type { Deployment, Key } from '../contract/index.js';

export interface Question {
  title: string;
  consequence: string;
  /** The word that agrees. */
  action: string;
}

export function disableQuestion({ slug }: Pick<Deployment, 'slug'>): Question {
  return { title: `Disable ${slug}?`, consequence: 'Calls to it will get 404.', action: 'Disable' };
}

export function publicQuestion({ slug }: Pick<Deployment, 'slug'>): Question {
  return {
    title: `Make ${slug} public?`,
    consequence: 'With none, anyone with the URL can call it.',
    action: 'Make public',
  };
}

export function revokeQuestion({ label }: Pick<Key, 'label'>): Question {
  return {
    title: `Revoke key ${label}?`,
    consequence: 'Calls that use it will be rejected.',
    action: 'Revoke',
  };
}

/** On one line. */
export function questionText({ title, consequence }: Question): string {
  return `${title} ${consequence}`;
}
