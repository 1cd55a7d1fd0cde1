// Reading that ends when nothing comes any more: a connection whose other end vanished never fails by itself.

export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  constructor(ms: number) {
    super(`Nothing came for ${ms / 1000} s.`);
  }
}

/** The same promise, failing with a `SilenceError` after this long. */
export async function withinTime<T>(promise: Promise<T>, ms: number | undefined): Promise<T> {
  if (ms === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilenceError(ms)), ms);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** The response with a body that fails when nothing of it comes for so long. */
export function limitSilence(response: Response, ms: number): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await withinTime(reader.read(), ms);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          void reader.cancel(error).catch(() => {});
          throw error;
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
