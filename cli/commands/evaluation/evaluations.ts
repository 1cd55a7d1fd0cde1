// svc evals list, show and delete.
import type { CloudClient } from '../../../lib/client/index.js';
import {
  type EvaluationLine,
  evaluateHint,
  evaluationLine,
  NO_EVALUATIONS,
  shortId,
  subjectLabel,
} from '../../../lib/console/index.js';
import { type Evaluation, isSlug } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import type { Screen } from '../../screen.js';
import { findDeployment, findJob, pickById } from '../project/find.js';
import { countOption, jobOption, textOption } from '../project/option-values.js';
import { requireProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';
import { type Column, renderTable } from '../terminal/table.js';
import { paintVerdict, REPORTED_ROWS, renderEvaluation, SHOWN_ROWS } from './render.js';
import { openReportFile } from './report-file.js';

/** Those of the project, of a job or of an endpoint, newest first. */
export const listEvaluations = sessionCommand(async input => {
  const { session, screen, answer, io } = input;
  const [job, endpoint] = [jobOption(input), textOption(input, 'endpoint')];
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

/** An evaluation with its worst rows. */
export const showEvaluation = sessionCommand(async input => {
  const { positionals, values, session, screen, answer } = input;
  const report = await openReportFile(input);
  const { cloud, id } = await findEvaluation(session, positionals[0]!);
  const { evaluation } = await cloud.getEvaluation(id);
  const limit = countOption(input, 'rows') ?? (report ? REPORTED_ROWS : SHOWN_ROWS);
  const changed = evaluation.comparison !== null && values.all !== true;
  const { rows } = await cloud.listEvaluationRows(id, { changed, limit });
  answer({ evaluation, rows }, () => renderEvaluation(evaluation, rows, screen));
  await report?.save(evaluation, rows);
});

export const deleteEvaluation = sessionCommand(async ({ session, answer, io, ...input }) => {
  const { cloud, id } = await findEvaluation(session, input.positionals[0]!);
  await agree(`Delete evaluation ${shortId(id)} and its rows?`, input, io);
  const { evaluation } = await cloud.deleteEvaluation(id);
  answer({ evaluation }, () => `Deleted evaluation ${shortId(id)}.\n`);
});

async function findEvaluation(session: Session, typed: string): Promise<{ cloud: CloudClient; id: string }> {
  const cloud = await requireProjectClient(session, 'evaluations');
  const { evaluations } = await cloud.listEvaluations();
  const describe = ({ subject }: Evaluation) => subjectLabel(subject);
  const wording = { noun: 'evaluation', list: 'svc evals list', describe };
  return { cloud, id: pickById(typed, evaluations, wording).id };
}
