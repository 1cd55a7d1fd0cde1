// Light or dark: as the system has it, unless the other one was chosen here. Choosing what the system has forgets it.
import { computed, onUnmounted, ref } from 'vue';

type Theme = 'light' | 'dark';

/** `public/theme.js` reads it before anything is drawn. */
const STORAGE_KEY = 'svc-theme';

export function useTheme() {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const systemTheme = ref(themeOf(system.matches));
  const chosen = ref(readChosen());
  const theme = computed(() => chosen.value ?? systemTheme.value);

  const onSystemChange = () => {
    systemTheme.value = themeOf(system.matches);
  };
  system.addEventListener('change', onSystemChange);
  onUnmounted(() => system.removeEventListener('change', onSystemChange));

  function toggle(): void {
    const next = themeOf(theme.value === 'light');
    chosen.value = next === systemTheme.value ? undefined : next;
    remember(chosen.value);
  }
  return { theme, toggle };
}

function themeOf(isDark: boolean): Theme {
  return isDark ? 'dark' : 'light';
}

function readChosen(): Theme | undefined {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

/** Where nothing can be stored, the choice holds until the page is left. */
function remember(theme: Theme | undefined): void {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  try {
    if (theme) localStorage.setItem(STORAGE_KEY, theme);
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    return;
  }
}
