// Where one is, from the address bar: views live in the hash, so that reload, back and deep links keep them.
import { computed, onUnmounted, ref } from 'vue';
import { parseHash } from '../lib/console/index.js';

export function useLocation() {
  const hash = ref(window.location.hash);
  const update = () => {
    hash.value = window.location.hash;
  };
  window.addEventListener('hashchange', update);
  onUnmounted(() => window.removeEventListener('hashchange', update));
  return computed(() => parseHash(hash.value));
}
