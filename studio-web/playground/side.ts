// Whether a second model answers beside the first, and which. Kept as long as the page.
import { reactive } from 'vue';

/** `target`: `base`, or the ID of a completed job; empty until one is known. */
export const side = reactive({ isOn: false, target: '' });
