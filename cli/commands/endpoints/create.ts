// svc endpoints create SLUG: publishes an adapter or the base model at a slug.
import { type AuthMode, type CloudTarget, deploymentInput } from '../../../lib/contract/index.js';
import { exitCode, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { adapterOption, assertFits, textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { readFollow, readKeeping, readOffer } from './options.js';
import { renderDeployment } from './show.js';

export const run = sessionCommand(async input => {
  const { positionals, session, screen, svc, answer } = input;
  const [typed = ''] = positionals;
  assertSlug(typed);
  const target = await readTarget(input);
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
  });
  const { slug } = deployment;
  answer({ deployment }, () => {
    const next =
      deployment.authMode === 'none'
        ? 'Anyone who can reach the URL can call it.'
        : `Calls need a key. To issue one, run: ${svc} keys issue ${toSafeLine(slug)} --label TEXT`;
    return `${renderDeployment(deployment, screen)}\n${next}\n`;
  });
  return exitCode.ok;
});

function assertSlug(slug: string): void {
  const target = { kind: 'base_model', baseModel: 'any' };
  assertFits(deploymentInput, { slug, target }, { slug: `the slug "${slug}"` });
}

async function readTarget(input: SessionContext): Promise<CloudTarget> {
  const [baseModel, follow] = [textOption(input, 'base-model'), textOption(input, 'follow')];
  const given = [baseModel, follow, textOption(input, 'job')].filter(value => value !== undefined);
  if (given.length !== 1)
    throw new UsageError('specify what to publish: "--job ID", "--base-model NAME" or "--follow WHAT".');
  if (follow !== undefined) return readFollow(follow, input.session);
  const adapter = await adapterOption(input, input.session);
  return adapter ? { kind: 'adapter', adapter } : { kind: 'base_model', baseModel: baseModel! };
}
