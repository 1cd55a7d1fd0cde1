// Keeps a box scrolled to its end as content arrives, until the user scrolls up.
import { onMounted, type Ref, ref, watch } from 'vue';

const NEAR_END = 24;

/** `content` changes whenever the box has more to show. */
export function useFollow(box: Readonly<Ref<HTMLElement | null>>, content: () => unknown) {
  const isFollowing = ref(true);

  function onScroll(): void {
    const { scrollHeight, scrollTop, clientHeight } = box.value!;
    isFollowing.value = scrollHeight - scrollTop - clientHeight < NEAR_END;
  }

  function toEnd(): void {
    isFollowing.value = true;
    if (box.value) box.value.scrollTop = box.value.scrollHeight;
  }

  onMounted(toEnd);
  watch(content, () => isFollowing.value && toEnd(), { flush: 'post' });
  return { isFollowing, onScroll, toEnd };
}
