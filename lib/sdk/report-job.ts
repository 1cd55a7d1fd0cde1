// Messages from a run to the Studio that started its process, over their IPC channel. Without a Studio there is no
// channel, and nothing is sent.

/** The type of the only message. */
export const JOB_MESSAGE = 'svc.job';

/** Tells Studio which job this process follows. */
export function reportJob(jobId: string): void {
  process.send?.({ type: JOB_MESSAGE, jobId }, undefined, undefined, () => {
    // Studio has exited, so there is nobody to tell.
  });
}

/** Calls `react` once the Studio that started this process has exited, however it did. Returns a function to cancel. */
export function onStudioGone(react: () => void): () => void {
  if (!process.channel) return () => {};
  process.once('disconnect', react);
  return () => void process.off('disconnect', react);
}
