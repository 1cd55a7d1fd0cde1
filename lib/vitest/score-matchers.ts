// Matchers of a model on rows: `await expect(ask).toScoreAtLeast(…)`.
import type { MatcherState } from 'vitest';
import { differenceText, scoreLabel, scoreValueText } from '../console/index.js';
import { ApiError, type ComparedScore } from '../contract/index.js';
import { findComparison } from '../evaluation/index.js';
import type { Outcome } from './answer-matchers.js';
import { type JobChoice, type ModelChoice, openOther, type TestedModel } from './choose-model.js';
import { findableText, regressionFailure, scoreFailure } from './failures.js';
import { type OnRows, scoreModel } from './rows.js';

/** `served`: what the endpoint serves now. `base`: the base model. Or a job, or an endpoint. */
export type Against = 'served' | 'base' | JobChoice | Pick<ModelChoice, 'endpoint'>;

export interface RegressOptions extends OnRows {
  against: Against;
  /** A loss up to this is accepted. For shares and means, 0.01 is one point of 100. Default: 0. */
  by?: number;
}

const models = new WeakMap<object, () => TestedModel>();

/** So that matchers find the model behind an `ask`. */
export function rememberModel(ask: object, read: () => TestedModel): void {
  models.set(ask, read);
}

export async function toScoreAtLeast(
  this: MatcherState,
  received: unknown,
  atLeast: number,
  rows: OnRows,
): Promise<Outcome> {
  const model = modelOf(received, 'toScoreAtLeast');
  const evaluation = await scoreModel(model, rows);
  const [{ name, kind, value }] = evaluation.scores as [(typeof evaluation.scores)[number]];
  if (rows.score !== undefined && rows.score !== name)
    throw new TypeError(`No row has the score ${rows.score}, so it cannot be at least ${atLeast}.`);
  if (kind === 'distance')
    throw new TypeError(`Of the score ${name}, less is better, so it cannot be at least ${atLeast}.`);
  const wanted = `${this.isNot ? 'less than' : 'at least'} ${scoreValueText(atLeast, kind)}`;
  const said = `${model.label} scored ${scoreValueText(value, kind)} (${scoreLabel(name)}) on ${evaluation.data.name}; it should score ${wanted}.`;
  return { pass: value >= atLeast, message: () => scoreFailure(said, evaluation, atLeast) };
}

export async function toRegress(
  this: MatcherState,
  received: unknown,
  { against, by = 0, ...rows }: RegressOptions,
): Promise<Outcome> {
  const model = modelOf(received, 'toRegress');
  const other = await openAgainst(model, against);
  const evaluation = await scoreModel(model, rows, other);
  const compared = findComparison(evaluation);
  if (typeof compared === 'string')
    throw new TypeError(compared.replace(/\.$/, ', so the models cannot be compared.'));
  if (compared.verdict === 'no_difference_found' && compared.findable > TELLING)
    // biome-ignore lint/suspicious/noConsole: vitest shows it with the test.
    console.warn(`${model.label} against ${other.label}: ${findableText(compared)}`);
  const lost = `lost ${pointsText(lossOf(compared), compared.kind)} (${scoreLabel(compared.score)}) against ${other.label} on ${evaluation.data.name}`;
  const accepted = by === 0 ? '' : `; a loss of up to ${pointsText(by, compared.kind)} is accepted`;
  const said = this.isNot
    ? `${model.label} ${lost}${accepted}.`
    : `${model.label} has not been shown to lose against ${other.label} on ${evaluation.data.name}.`;
  return {
    pass: hasRegressed(compared, by),
    message: () =>
      regressionFailure(said, { ...evaluation, comparison: evaluation.comparison! }, other.label),
  };
}

/** Without a sign. */
function pointsText(difference: number, kind: ComparedScore['kind']): string {
  return differenceText(difference, kind).replace(/^[+−]/, '');
}

/** A loss that is larger than what is accepted, and that the rows show to be none of chance. */
function hasRegressed(compared: ComparedScore, by: number): boolean {
  return compared.verdict === 'worse' && lossOf(compared) > by;
}

function lossOf({ difference, kind }: ComparedScore): number {
  return kind === 'distance' ? difference : -difference;
}

/** If only larger differences than this would be found, a test that passes says little, and tells so. */
const TELLING = 0.1;

async function openAgainst(model: TestedModel, against: Against): Promise<TestedModel> {
  if (against === 'base') return openOther(model, { base: true });
  if (typeof against === 'object' && 'endpoint' in against) return openOther(model, against);
  if (against !== 'served') return openOther(model, { job: against as JobChoice });
  const { deployments } = await (await model.session.projectClient()).listDeployments();
  if (deployments.some(({ slug }) => slug === model.served))
    return openOther(model, { endpoint: model.served });
  throw new ApiError(
    'deployment_not_found',
    `Nothing is served as \`${model.served}\` in this project. Pass \`against: { endpoint: 'SLUG' }\`, or \`against: 'base'\` until it is published.`,
  );
}

function modelOf(received: unknown, matcher: string): TestedModel {
  const read = typeof received === 'function' ? models.get(received) : undefined;
  if (read) return read();
  throw new TypeError(
    `expect(…).${matcher} needs the \`ask\` of describeModel: await expect(ask).${matcher}(…).`,
  );
}
