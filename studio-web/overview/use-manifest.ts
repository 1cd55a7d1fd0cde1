// The project's trainer. Requested once per page load, because each request makes Studio rebuild the project.
import { ref, shallowRef } from 'vue';
import { realClock } from '../../lib/clock/index.js';
import { brokenRunAction, type RunAction, runAction, SLOW_MS } from '../../lib/console/index.js';
import type { Manifest } from '../../lib/contract/index.js';
import { studio } from '../studio.js';

const manifest = shallowRef<Manifest>();
const action = shallowRef<RunAction | null>(null);
const isSlow = ref(false);
let wasAsked = false;

export function useManifest() {
  if (!wasAsked) void ask();
  return { manifest, action, isSlow };
}

async function ask(): Promise<void> {
  wasAsked = true;
  const timer = realClock.after(SLOW_MS, () => {
    isSlow.value = true;
  });
  try {
    manifest.value = await studio.getManifest();
    action.value = runAction(manifest.value);
  } catch (error) {
    action.value = brokenRunAction(error);
  } finally {
    timer.stop();
    isSlow.value = false;
  }
}
