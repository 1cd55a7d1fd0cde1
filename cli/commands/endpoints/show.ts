// svc endpoints show SLUG: one endpoint and how to call it.
import {
  canaryRows,
  canaryView,
  enabledLabel,
  gateSetting,
  keepingText,
  libraryBaseUrl,
  offerRows,
  operationUrl,
  quickStart,
  targetLabel,
} from '../../../lib/console/index.js';
import { adapterNotation, type Deployment } from '../../../lib/contract/index.js';
import type { Screen } from '../../screen.js';
import { toSafeText } from '../../style.js';
import { findDeployment } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';
import { type Fact, renderFacts, timeText } from '../terminal/table.js';

export const run = sessionCommand(async ({ positionals, session, screen, answer }) => {
  const { deployment } = await findDeployment(session, positionals[0]!);
  answer(
    { deployment },
    () => `${renderDeployment(deployment, screen)}\n${toSafeText(quickStart('curl', deployment))}\n`,
  );
});

function canaryFacts(deployment: Deployment, screen: Screen): Fact[] {
  const canary = deployment.canary?.target;
  return [
    ...canaryRows(deployment, iso => timeText(iso, screen)),
    ['Its adapter', canary?.kind === 'adapter' ? adapterNotation(canary.adapter) : null],
    ['Its problem', canaryView(deployment)?.problem ?? null],
  ];
}

export function renderDeployment(deployment: Deployment, screen: Screen): string {
  const { slug, id, target, authMode, createdAt, updatedAt } = deployment;
  const gate = gateSetting(deployment);
  const facts: Fact[] = [
    ['Slug', slug],
    ['URL', operationUrl(deployment)],
    ['Base URL', libraryBaseUrl(deployment)],
    ['State', enabledLabel(deployment)],
    ['Problem', deployment.problem ?? null],
    ['Auth', authMode],
    ...offerRows(deployment, iso => timeText(iso, screen)).map(
      ({ label, values }): Fact => [label, values.join(', ')],
    ),
    ['Gate', gate && `${gate.choice}. ${gate.text}`],
    ['Requests', keepingText(deployment)],
    ['Target', targetLabel(target)],
    ['Adapter', target.kind === 'adapter' ? adapterNotation(target.adapter) : null],
    ...canaryFacts(deployment, screen),
    ['Created', timeText(createdAt, screen)],
    ['Updated', timeText(updatedAt, screen)],
    ['ID', id],
  ];
  return renderFacts(facts, screen.style);
}
