// svc endpoints create SLUG: publishes an adapter or the base model at a slug.
import {
  type AuthMode,
  type CloudTarget,
  type Deployment,
  deploymentInput,
} from '../../../lib/contract/index.js';
import { toSafeLine } from '../../style.js';
import { assertFits, textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { renderDeployment } from './list.js';
import { noteKeepsNothing, readGate, readKeeping, readOffer, readServed } from './options.js';

export const run = sessionCommand(async input => {
  const { positionals, session, screen, svc, answer } = input;
  const [typed = ''] = positionals;
  assertSlug(typed);
  const target = await readServed(input, textOption(input, 'base-model'), {
    read: (baseModel): CloudTarget => ({ kind: 'base_model', baseModel }),
    ways: 'specify what to publish: "--job ID", "--base-model NAME" or "--follow WHAT".',
  });
  const authMode = textOption(input, 'auth') as AuthMode | undefined;
  const offer = readOffer(input);
  const keeping = readKeeping(input);
  const cloud = await session.projectClient();
  const { deployment } = await cloud.createDeployment({
    slug: typed,
    target,
    ...(authMode !== undefined && { authMode }),
    ...offer,
    ...keeping,
    ...readGate(input),
  });
  noteKeepsNothing(input, deployment);
  answer({ deployment }, () => `${renderDeployment(deployment, screen)}\n${whoMayCall(deployment, svc)}\n`);
});

/** What comes after a new endpoint: a key, unless anyone may call it. */
export function whoMayCall({ slug, authMode }: Pick<Deployment, 'slug' | 'authMode'>, svc: string): string {
  if (authMode === 'none') return 'Anyone who can reach the URL can call it.';
  return `Calls need a key. To issue one, run: ${svc} keys issue ${toSafeLine(slug)} --label TEXT`;
}

export function assertSlug(slug: string): void {
  const target = { kind: 'base_model', baseModel: 'any' };
  assertFits(deploymentInput, { slug, target }, { slug: `the slug "${slug}"` });
}
