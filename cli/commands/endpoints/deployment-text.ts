// One endpoint as text.
import {
  enabledLabel,
  keepingText,
  offerRows,
  operationUrl,
  targetLabel,
} from '../../../lib/console/index.js';
import { adapterNotation, type Deployment } from '../../../lib/contract/index.js';
import { type Fact, renderFacts } from '../terminal/facts.js';
import type { Screen } from '../terminal/screen.js';
import { timeText } from '../terminal/time-text.js';

export function renderDeployment(deployment: Deployment, screen: Screen): string {
  const { slug, id, target, authMode, createdAt, updatedAt, pathUrl } = deployment;
  const facts: Fact[] = [
    ['Slug', slug],
    ['URL', operationUrl(deployment)],
    ['Path URL', pathUrl && operationUrl({ url: pathUrl })],
    ['State', enabledLabel(deployment)],
    ['Problem', deployment.problem ?? null],
    ['Auth', authMode],
    ...offerRows(deployment, iso => timeText(iso, screen)).map(
      ({ label, values }): Fact => [label, values.join(', ')],
    ),
    ['Requests', keepingText(deployment)],
    ['Target', targetLabel(target)],
    ['Adapter', target.kind === 'adapter' ? adapterNotation(target.adapter) : null],
    ['Created', timeText(createdAt, screen)],
    ['Updated', timeText(updatedAt, screen)],
    ['ID', id],
  ];
  return renderFacts(facts, screen.style);
}
