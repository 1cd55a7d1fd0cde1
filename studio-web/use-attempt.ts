// What a user asks for and the cloud may refuse, one at a time.
import { ref, shallowRef } from 'vue';

export function useAttempt() {
  const isBusy = ref(false);
  /** Why the last one failed. */
  const refusal = shallowRef<Error>();

  /** Does nothing while another one goes on. */
  async function attempt(act: () => Promise<unknown>): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    refusal.value = undefined;
    try {
      await act();
    } catch (error) {
      refusal.value = error as Error;
    } finally {
      isBusy.value = false;
    }
  }

  return { isBusy, refusal, attempt };
}
