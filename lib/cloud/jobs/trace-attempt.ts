// A span for each attempt at a job, and one in it for each step that its trainer reports.
import type { JobEvent } from '../../contract/index.js';
import type { Span, Tracer } from '../../telemetry/index.js';
import type { Journal } from './journal.js';

export interface AttemptTrace {
  /** An event that was reported now. */
  note(event: JobEvent): void;
  /** `status`: how it ended; null if that is not known because of an error. */
  end(status: string | null): void;
}

const SILENT: AttemptTrace = { note: () => {}, end: () => {} };

/** A journal whose events are noted. */
export function traceEvents(trace: AttemptTrace, journal: Journal): Journal {
  return {
    get isOver() {
      return journal.isOver;
    },
    record(event, next) {
      trace.note(event);
      return journal.record(event, next);
    },
    settled: () => journal.settled(),
  };
}

export function traceAttempt(
  tracer: Tracer | undefined,
  { id, number, model }: { id: string; number: number; model: string },
): AttemptTrace {
  if (!tracer) return SILENT;
  const job = { 'svc.job.id': id, 'svc.job.attempt': number };
  const attempt = tracer.start('training', {
    parent: null,
    attributes: { ...job, 'svc.job.model': model },
  });
  /** The state since the last report. */
  let open: Span | null = null;
  let failure: string | null = null;
  const begin = (name: string) => {
    open = tracer.start(name, { parent: attempt, attributes: job });
  };
  begin('training prepare');

  return {
    note(event) {
      switch (event.type) {
        case 'training.started':
          open?.end();
          attempt.set({
            'svc.training.steps': event.totalSteps,
            'svc.training.rows': event.rows,
            'svc.training.device': event.device?.name ?? event.device?.type,
          });
          return begin('training step');
        case 'training.log': {
          const { step, loss, evalLoss, learningRate, tokens } = event;
          open?.set({
            'svc.training.step': step,
            'svc.training.loss': loss,
            'svc.training.eval_loss': evalLoss,
            'svc.training.learning_rate': learningRate,
            'svc.training.tokens': tokens,
          });
          open?.end();
          return begin('training step');
        }
        case 'training.failed':
          failure = event.error;
      }
    },
    end(status) {
      // No step was reported with it.
      open = null;
      attempt.set({ 'svc.job.status': status });
      attempt.end(failure ?? (status === null || status === 'failed' ? 'The attempt failed.' : null));
    },
  };
}
