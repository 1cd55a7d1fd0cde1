// svc jobs manifest ID: everything a job's results depend on, so that it can be repeated.
import { formatCount } from '../../../lib/console/index.js';
import type { RunEnvironment, RunManifest } from '../../../lib/contract/index.js';
import { findJob } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';
import { type Fact, renderFacts } from '../terminal/table.js';

export const run = sessionCommand(async ({ positionals, session, screen, answer }) => {
  const { cloud, id } = await findJob(session, positionals[0]!);
  const { manifest } = await cloud.getJobManifest(id);
  answer({ manifest }, () => {
    const environments = manifest.run?.environments ?? [];
    return [commonFacts(manifest), ...environments.map(environmentFacts)]
      .map(facts => renderFacts(facts, screen.style))
      .join('\n');
  });
});

function commonFacts({ jobId, model, config, run: started, seed, adapter }: RunManifest): Fact[] {
  const isImported = config.imported === true;
  return [
    ['Job', jobId],
    ['Model', model.name],
    ['Model digest', model.digest],
    ['Origin', isImported ? 'imported' : null],
    ['Data', started ? dataText(started.data.training) : isImported ? null : 'not read yet'],
    ['Evaluation', started?.data.evaluation ? dataText(started.data.evaluation) : null],
    ['Weights', started?.weights ?? null],
    ['Seed', seed === null ? null : String(seed)],
    ['Adapter', adapter?.sha256 ?? null],
  ];
}

function dataText({ digest, rows }: { digest: string; rows: number }): string {
  return `${digest} (${formatCount(rows)} rows)`;
}

function environmentFacts({ fromStep, svc, node, onnxruntime, machine }: RunEnvironment): Fact[] {
  const { platform, arch, cpu, features, cores, threads, provider, gpu } = machine;
  return [
    ['From step', fromStep === 0 ? null : formatCount(fromStep)],
    ['svc', `${svc.version} (${svc.digest})`],
    ['Node.js', node],
    ['ONNX Runtime', `${onnxruntime} (${provider})`],
    ['Machine', `${platform} ${arch}, ${cpu}, ${cores} cores`],
    ['GPU', gpu ?? null],
    ['Threads', threads === null ? 'default' : String(threads)],
    ['Instructions', features.length === 0 ? null : features.join(' ')],
  ];
}
