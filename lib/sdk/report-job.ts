// What a run tells the Studio that started its process, over the channel between the two. Where no Studio did, there is
// no channel, and nothing happens.

/** The type of the one message. */
export const JOB_MESSAGE = 'svc.job';

/** Says which job this process follows. */
export function reportJob(jobId: string): void {
  process.send?.({ type: JOB_MESSAGE, jobId }, undefined, undefined, () => {
    // Studio is gone: nobody is left to be told.
  });
}

/** Calls back when the Studio that started this process is gone, however it ended. Returns how to stop that. */
export function onStudioGone(react: () => void): () => void {
  if (!process.channel) return () => {};
  process.once('disconnect', react);
  process.channel.unref();
  return () => void process.off('disconnect', react);
}
