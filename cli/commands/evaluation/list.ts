// svc evals list [TARGET]: the project's evaluations, or those of a job or an endpoint, newest first.
import {
  type EvaluationLine,
  evaluateHint,
  evaluationLine,
  NO_EVALUATIONS,
} from '../../../lib/console/index.js';
import { isSlug } from '../../../lib/contract/index.js';
import type { Screen } from '../../screen.js';
import { findDeployment, findJob } from '../project/find.js';
import { idOption, textOption } from '../project/option-values.js';
import { requireProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import { type Column, renderTable } from '../terminal/table.js';
import { paintVerdict } from './render.js';

export const run = sessionCommand(async input => {
  const { session, screen, answer, io } = input;
  const [job, endpoint] = [idOption(input, 'job', 'a job'), textOption(input, 'endpoint')];
  const cloud = await requireProjectClient(session, 'evaluations');
  const filter = {
    jobId: job === undefined ? undefined : (await findJob(session, job)).id,
    endpoint: endpoint === undefined ? undefined : await findSlug(endpoint),
  };
  const { evaluations } = await cloud.listEvaluations(filter);
  answer({ evaluations }, () => {
    if (evaluations.length === 0)
      return `${NO_EVALUATIONS}. Make one with "${evaluateHint(job ?? endpoint ?? 'JOB')}".\n`;
    const now = new Date(io.clock?.now() ?? Date.now());
    return renderTable(
      columnsIn(screen),
      evaluations.map(evaluation => evaluationLine(evaluation, now)),
      screen,
    );
  });

  /** A deleted endpoint's evaluations stay. */
  async function findSlug(typed: string): Promise<string> {
    return isSlug(typed) ? typed : (await findDeployment(session, typed)).deployment.slug;
  }
});

const columnsIn = ({ style }: Pick<Screen, 'style'>): Column<EvaluationLine>[] => [
  { title: 'ID', text: ({ shortId }) => shortId },
  {
    title: 'Evaluated',
    text: ({ subject }) => subject,
    short: ({ shortSubject }) => shortSubject,
    least: 12,
    most: 60,
  },
  { title: 'Data', text: ({ data }) => data, least: 8, most: 50, cut: 'start', spare: true },
  { title: 'Score', text: ({ score }) => score, short: ({ shortScore }) => shortScore, most: 60 },
  {
    title: 'Verdict',
    text: ({ comparison }) => comparison ?? '',
    short: ({ verdict }) => verdict ?? '',
    most: 80,
    paint: (text, { tone }) => (tone ? paintVerdict(text, tone, style) : text),
  },
  { title: 'Made', text: ({ age }) => age, spare: true },
];
